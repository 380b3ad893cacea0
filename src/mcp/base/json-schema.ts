/**
 * The schemas of tools as clients and models read them: one root object without `$ref`, and as short as possible, because
 * most clients give all of them to their model. They allow everything that the service allows, and in details more. The
 * service validates each call by the whole schema, and its errors name the field and the bound.
 */
import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { entityReference, structuredContext } from '../../decisions/input.ts'
import { type Property, propertiesOf } from '../../validation/properties.ts'
import { provenance, revisionField, sourceReference, visibility } from '../../validation/schema.ts'

export type ObjectSchema = Tool['inputSchema']

type Json = Record<string, unknown>

/** Said differently than for HTTP, where it is a header. */
const keyField = 'idempotency_key'
const keyDescription = 'Calls with the same key and input are one write.'

interface Shown {
  /** What leaving the key out means. */
  keyLeftOut?: string
  /** With `if_revision`. Left out: no tool shows a revision that the input could name. */
  showsRevision?: true
  /** By field: the tool that describes the object in this field. Here only the names and types of its fields are shown. */
  describedBy?: Readonly<Record<string, string>>
}

export function inputSchema(schema: z.ZodType, shown: Shown = {}): ObjectSchema {
  const { keyLeftOut = '', showsRevision, describedBy = {} } = shown
  const whole = jsonOf(schema, 'input')
  const short = shortened(whole, inInputs)
  const { [revisionField]: revision, ...properties } = fieldsOf(short)
  if (showsRevision && revision) properties[revisionField] = revision
  const key = properties[keyField]
  if (key) properties[keyField] = { ...key, description: `${keyDescription} ${keyLeftOut}`.trim() }
  for (const [field, tool] of Object.entries(describedBy)) {
    properties[field] = withNamesOnly(fieldsOf(whole)[field] as Json, tool)
  }
  return { ...short, properties } as ObjectSchema
}

/**
 * Without descriptions, bounds and values, and open for further fields: the text of a result says what it means, and a
 * client that has kept the schema must not refuse what a newer version adds. It shows the fields of the result and those of
 * the items in its lists. Other objects are only named, unless they are open: those were written for this list.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  return shortened(jsonOf(schema, 'output'), inOutputs) as ObjectSchema
}

/** The fields of an input that take a list, or a list or null. */
export function listsIn(schema: z.ZodType): ReadonlySet<string> {
  const isList = ({ type, anyOf = [] }: Property): boolean => type === 'array' || anyOf.some(isList)
  return new Set([...propertiesOf(schema)].filter(([, property]) => isList(property)).map(([name]) => name))
}

/** Their names say enough to a model. The reference of the HTTP API describes them. */
const plainFields = new Set<unknown>([
  ...valuesBut(sourceReference.shape, 'type', 'id'),
  ...provenance.options.flatMap(({ shape }) => Object.values(shape)),
  ...visibility.options.flatMap(({ shape }) => (shape.scope.value === 'private' ? [] : [shape.scope])),
  ...valuesBut(entityReference.shape, 'type'),
  ...valuesBut(structuredContext.shape),
  ...valuesBut(structuredContext.shape.alternatives.unwrap().out.element.shape),
])

function valuesBut<Shape extends object>(shape: Shape, ...names: (keyof Shape & string)[]): unknown[] {
  return Object.entries(shape).flatMap(([name, schema]) => ((names as string[]).includes(name) ? [] : [schema]))
}

function jsonOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (plainFields.has(zodSchema)) delete jsonSchema.description
    },
  })
  return json
}

interface Rules {
  /** Whether a keyword is left out. `level`: 0 for the root, 1 for its fields, 2 for the fields of those, and so on. */
  leavesOut(keyword: string, value: unknown, level: number): boolean
  /** Whether an object is shown without its fields. `isItem`: it is in a list on this level. */
  closes(object: Json, level: number, isItem: boolean): boolean
}

/** Longer texts are no names: a model does not count their characters. */
const longestName = 1000
const inInputs: Rules = {
  leavesOut(keyword, value, level) {
    switch (keyword) {
      case 'minLength':
      case 'minItems':
        return Number(value) <= 1
      case 'maxLength':
        return level > 1 || Number(value) > longestName
      case 'maximum':
        return value === Number.MAX_SAFE_INTEGER
      case 'additionalProperties':
        return level > 0
      case 'default':
        return level > 1
      default:
        return keyword === 'maxItems'
    }
  },
  closes: () => false,
}

const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'format']
const leftOfOutputs = [...bounds, 'description', 'additionalProperties', 'propertyNames', 'default', 'enum', 'const']
const inOutputs: Rules = {
  leavesOut: (keyword, _, level) => leftOfOutputs.includes(keyword) || (keyword === 'required' && level > 0),
  closes: ({ additionalProperties }, level, isItem) => additionalProperties === false && level > (isItem ? 1 : 0),
}

const namesOnly: Rules = { ...inOutputs, closes: (_, level) => level > 0 }

function withNamesOnly(schema: Json, tool: string): Json {
  return { ...shortened(schema, namesOnly), description: `${schema.description} Its fields are described by ${tool}.` }
}

function shortened(schema: Json, rules: Rules, level = 0, isItem = false): Json {
  const whole = asOneObject(schema)
  if (whole.type === 'object' && rules.closes(whole, level, isItem)) return { type: 'object' }
  const kept = Object.entries(whole).filter(
    ([keyword, value]) => !isSaidByFormat(keyword, whole) && !rules.leavesOut(keyword, value, level),
  )
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, shortenedValue(keyword, value)]))

  function shortenedValue(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
        return mapped(value as Record<string, Json>, (field) => shortened(field, rules, level + 1))
      case 'items':
        return shortened(value as Json, rules, level, true)
      case 'anyOf':
      case 'oneOf':
        return (value as Json[]).map((one) => shortened(withoutRepeat(one, whole), rules, level, isItem))
      default:
        return value
    }
  }
}

/** Of a choice: without a description that the field has already. */
function withoutRepeat({ description, ...choice }: Json, field: Json): Json {
  return description === undefined || description === field.description ? choice : { description, ...choice }
}

/**
 * A choice between objects that one field tells apart, such as a provenance by its `class`, becomes one object with the
 * fields of all. Many models fill that in better, and it is half as long.
 */
function asOneObject({ oneOf, ...rest }: Json): Json {
  if (oneOf === undefined) return rest
  const options = oneOf as Json[]
  const [tag] = Object.entries(fieldsOf(options[0])).find(([, field]) => field.const !== undefined) ?? []
  if (tag === undefined) throw new Error('a choice in the schema of a tool has no field that tells its options apart')
  const tags = options.map((option) => fieldsOf(option)[tag] as Json)
  const described = tags.flatMap(({ const: value, description }) => (description ? [`${value}: ${description}`] : []))
  const fields = options.flatMap((option) => {
    const { [tag]: own, ...others } = fieldsOf(option)
    const when = `With ${tag} ${own?.const}`
    return Object.entries(others).map(([name, field]): [string, Json] => {
      const { description } = field
      return [name, { ...field, description: description === undefined ? `${when}.` : `${when}: ${description}` }]
    })
  })
  return {
    ...rest,
    type: 'object',
    properties: {
      [tag]: {
        type: 'string',
        enum: tags.map((one) => one.const),
        ...(described.length === 0 ? {} : { description: described.join(' ') }),
      },
      ...Object.fromEntries(fields),
    },
    required: [tag],
    additionalProperties: false,
  }
}

function fieldsOf(schema: Json | undefined): Record<string, Json> {
  return { ...(schema?.properties as Record<string, Json> | undefined) }
}

function mapped<From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

/** The pattern of a UUID has 150 characters and says no more than its format. */
function isSaidByFormat(keyword: string, schema: object): boolean {
  return keyword === 'pattern' && (schema as Json).format !== undefined
}
