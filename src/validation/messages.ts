/**
 * Says in our own words what is wrong with an input. Every message completes "<field>: …" and says what to send.
 * An error map of zod 4, given to each parse by `validated`. Messages that a schema brings along go before these.
 */
import { z } from 'zod'
import { nearest, withPart } from './nearest.ts'

type RawIssue = z.core.$ZodRawIssue

/** Unknown fields of one input that are compared with the known ones: enough to correct an input. */
const mostSuggestions = 50
/** Names of fields that one message lists. */
const mostNames = 20

/** Joins the messages of one issue, one for each key. messagesOfKeys() splits them again. */
const separator = '\n'

/** Make a new one for each parse, because it counts its comparisons. */
export function errorMap(): (issue: RawIssue) => string {
  let suggestions = 0
  const unknownField = (key: string, known: readonly string[], missing: string | undefined) => {
    suggestions += 1
    const near = suggestions > mostSuggestions ? undefined : (nearest(key, known) ?? withPart(key, known))
    if (near !== undefined) return `unknown field: did you mean \`${near}\`?`
    const unless = missing === undefined ? '' : `, unless you mean \`${missing}\`, which is required`
    return `unknown field: leave it out${unless}`
  }
  return (issue) => {
    if (issue.code !== 'unrecognized_keys') return messageOf(issue)
    const shape = issue.inst instanceof z.ZodObject ? issue.inst.shape : {}
    const missing = onlyMissing(shape, issue.input)
    return issue.keys.map((key) => unknownField(key, Object.keys(shape), missing)).join(separator)
  }
}

/** The only required field that the input lacks: an unknown field probably holds what belongs there. */
function onlyMissing(shape: z.core.$ZodShape, input: unknown): string | undefined {
  const isMissing = (name: string) => !Object.hasOwn(input as object, name)
  const missing = Object.entries(shape).filter(
    ([name, field]) => isMissing(name) && !(field as z.ZodType).safeParse(undefined).success,
  )
  return missing.length === 1 ? missing[0]?.[0] : undefined
}

/** The message of each key of an `unrecognized_keys` issue, in their order. */
export function messagesOfKeys(message: string): string[] {
  return message.split(separator)
}

function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue)
    case 'invalid_value':
      return issue.input === undefined ? `is required: ${oneOf(issue.values)}` : `must be ${oneOf(issue.values)}`
    case 'invalid_union':
      return unionMessage(issue)
    case 'too_big':
      return `must ${issue.exact ? exactly(issue.origin, issue.maximum) : atMost(issue)}`
    case 'too_small':
      return `must ${issue.exact ? exactly(issue.origin, issue.minimum) : atLeast(issue)}`
    case 'invalid_format':
      return `must ${formats[issue.format] ?? `have the form ${issue.pattern ?? issue.format}`}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_key':
      return 'has a field with a name that is not allowed'
    case 'invalid_element':
      return 'has an item that is not allowed'
    default:
      return 'is not valid'
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeMessage({ expected, input, inst }: Extract<RawIssue, { code: 'invalid_type' }>): string {
  const shape = `${types[expected] ?? `a value of the type ${expected}`}${shapeOf(inst)}`
  if (input === undefined) return `is required: ${shape}`
  return input === null ? `must not be null: send ${shape}` : `must be ${shape}`
}

/** The fields of an object, or the field that tells its variants apart. */
function shapeOf(schema: unknown): string {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def
    const values = schema.def.options.flatMap((option) => valuesOf(option, discriminator))
    return ` with the field ${discriminator}: ${oneOf(values)}`
  }
  if (!(schema instanceof z.ZodObject)) return ''
  const names = Object.keys(schema.shape)
  const more = names.length > mostNames ? ' …' : ''
  return names.length === 0 ? '' : ` with fields among ${names.slice(0, mostNames).join(', ')}${more}`
}

function valuesOf(option: z.core.$ZodType, discriminator: string): readonly z.core.util.Primitive[] {
  const field = option instanceof z.ZodObject ? option.shape[discriminator] : undefined
  return field instanceof z.ZodLiteral ? [...field.values] : []
}

function unionMessage({ discriminator, options, input }: Extract<RawIssue, { code: 'invalid_union' }>): string {
  if (discriminator === undefined || options === undefined) return 'has none of the allowed forms'
  const given = (input as Record<string, unknown>)[discriminator]
  return `${given === undefined ? 'is required:' : 'must be'} ${oneOf(options as readonly z.core.util.Primitive[])}`
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items', map: 'entries' }

function exactly(origin: string, count: number | bigint): string {
  return units[origin] === undefined ? `be ${count}` : `have ${count} ${units[origin]}`
}

function atMost({ origin, maximum, inclusive }: Extract<RawIssue, { code: 'too_big' }>): string {
  if (units[origin] !== undefined) return `have at most ${maximum} ${units[origin]}`
  return inclusive === false ? `be less than ${maximum}` : `be at most ${maximum}`
}

function atLeast({ origin, minimum, inclusive }: Extract<RawIssue, { code: 'too_small' }>): string {
  const unit = units[origin]
  if (unit !== undefined && Number(minimum) === 1) return 'not be empty'
  if (unit !== undefined) return `have at least ${minimum} ${unit}`
  return inclusive === false ? `be greater than ${minimum}` : `be at least ${minimum}`
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'be a UUID',
  guid: 'be a UUID',
  url: 'be an absolute URL',
  datetime: 'be a UTC date-time that ends in Z, such as 2026-01-31T09:30:00Z',
  date: 'be a date, such as 2026-01-31',
  email: 'be an email address',
}
