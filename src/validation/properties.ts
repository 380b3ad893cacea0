import { z } from 'zod'

/** A field of an input, as JSON Schema describes it. */
export interface Property {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  items?: Property
  /** Any of these, such as a list or null. */
  anyOf?: Property[]
}

/** The fields of an input, by name. */
export function propertiesOf(schema: z.ZodType): Map<string, Property> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>
  }
  return new Map(Object.entries(properties))
}
