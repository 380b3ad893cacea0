/** The units of amounts, and how to convert them to the base unit of their dimension. */

/** By name: dimension, factor to the base unit, and the `unit` of Amount. */
export const units: { readonly [name: string]: readonly [dimension: string, factor: number, unit: string] } = unitTable(
  {
    'time 0.001': 'ms millisecond milliseconds',
    'time 1': 's sec secs second seconds',
    'time 60': 'min mins minute minutes',
    'time 3600': 'h hr hrs hour hours',
    'time 86400': 'd day days night nights',
    'time 86400 calendar': 'calendar-day calendar-days',
    'time 86400 business': 'business-day business-days working-day working-days',
    'time 604800': 'week weeks',
    'time 1209600': 'fortnight fortnights',
    'time 2629800': 'month months',
    'time 7889400': 'quarter quarters',
    'time 31557600': 'year years yr yrs',
    'size 1': 'byte bytes',
    'size 1e3': 'kb kilobyte kilobytes',
    'size 1e6': 'mb megabyte megabytes',
    'size 1e9': 'gb gigabyte gigabytes',
    'size 1024': 'kib',
    'size 1048576': 'mib',
    'size 1073741824': 'gib',
    'size 1e12': 'tb terabyte terabytes',
    'size 1099511627776': 'tib',
    'mass 1e-6': 'µg mcg microgram micrograms',
    'mass 0.001': 'mg milligram milligrams',
    'mass 1': 'g gram grams',
    'mass 1000': 'kg kilo kilos kilogram kilograms',
    'mass 1e6': 't tonne tonnes ton tons',
    'mass 453.59237': 'lb lbs pound-weight',
    'length 0.001': 'mm millimetre millimetres',
    'length 0.01': 'cm centimetre centimetres centimeters',
    'length 1': 'm metre metres meter meters',
    'length 1000': 'km kilometre kilometres kilometer kilometers',
    'length 0.3048': 'ft foot feet',
    'length 0.0254': 'inch inches',
    'length 1609.344': 'mile miles',
    'area 1': 'm² m2 sqm square-metres square-meters',
    'speed 1': 'km/h kmh kph',
    'speed 1.609344': 'mph',
    'volume 0.001': 'ml millilitre millilitres',
    'volume 1': 'l litre litres liter liters',
    'volume 3.785411784': 'gallon gallons',
    'heat 1 c': '°c degrees-celsius degrees',
    'heat 1 f': '°f degrees-fahrenheit',
    'power 1': 'w watt watts',
    'power 1000': 'kw kilowatt kilowatts',
    'energy 1': 'kwh',
    'pressure 1': 'bar',
    'pressure 0.0689476': 'psi',
    'pressure 0.01': 'kpa',
    'size 125e3': 'mbit megabit megabits',
    'size 125e6': 'gbit gigabit gigabits',
    'share 1': '% percent pct percentage-points',
    'money 0.01': 'cent cents',
    'money 0.01 eur': 'euro-cent euro-cents',
    'money 0.01 gbp': 'pence',
    'money 1 usd': '$ usd dollar dollars us-dollars',
    'money 1 eur': '€ eur euro euros',
    'money 1 gbp': '£ gbp pounds',
    'money 1 chf': 'chf swiss-francs swiss-franc francs',
  },
)

function unitTable(rows: { [row: string]: string }) {
  const table = Object.fromEntries(
    Object.entries(rows).flatMap(([row, names]) => {
      const [dimension, factor, unit = ''] = row.split(' ') as [string, string, string?]
      return names.split(' ').map((name) => [name, [dimension, Number(factor), unit]] as const)
    }),
  )
  // without a prototype, so that `constructor` is not found as a unit
  return Object.assign(Object.create(null) as typeof table, table)
}
