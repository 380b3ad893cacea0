import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/text/analyzer.ts'

const pairsIn = (text: string) => text.split(/,\s*/).map((pair) => pair.split(' ') as [string, string])

describe('the token of a German word', () => {
  it.each(
    pairsIn(`Zeitung Zeitungen, Krankheit Krankheiten, Möglichkeit Möglichkeiten, Mannschaft Mannschaften, Station Stationen,
      Referenz Referenzen, Instanz Instanzen, Qualität Qualitäten, Kartei Karteien, Zentrale Zentralen, Motor Motoren,
      Figur Figuren, Kabine Kabinen, Schablone Schablonen, Batterie Batterien, Adresse Adressen, Tabelle Tabellen,
      Flasche Flaschen, Turbine Turbinen, Lizenz Lizenzen`),
  )('is the same for %s and %s', (one, other) => expect(analyze(one)).toEqual(analyze(other)))
})

it('an English word keeps its ending', () => {
  const words = 'kitchen children shorten threaten sharpen brethren forgotten chicken alien lessen Lauren'.split(' ')
  expect(words.flatMap((word) => analyze(word))).toEqual(words.map((word) => word.toLowerCase()))
})
