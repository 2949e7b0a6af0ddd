import { z } from 'zod'

/** A JSON Schema (draft 2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown }

/** Turns zod schemas into JSON schemas; those with a title are written once and referred to from then on. */
export interface SchemaWriter {
  /** `input` for what is sent: undeclared keys are let through. `output` for answers: there are none. */
  readonly write: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema
  /** The schemas with a title, by it. */
  readonly components: () => Record<string, JsonSchema>
}

export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>()
  return {
    write: (schema, io) => {
      const {
        $schema: _dialect,
        $defs: _any,
        ...written
      } = z.toJSONSchema(schema, { io, override: tidy }) as JsonSchema
      return shared(written, components) as JsonSchema
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Leaves out what says nothing to a reader: bounds that every JSON number keeps, and how dates look letter by letter. */
function tidy({ jsonSchema: schema }: { jsonSchema: JsonSchema }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time') delete schema.pattern
}

/** Yields the schema with titled objects replaced by references, depth first. */
function shared(value: unknown, components: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => shared(item, components))
  if (typeof value !== 'object' || value === null) return value
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'examples' ? inner : shared(inner, components)]),
  )
  // The only schema that zod refers to by itself is the recursive one of any JSON value, and that says nothing.
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/$defs/')) delete schema.$ref
  if (typeof schema.title !== 'string' || schema.type !== 'object') return schema
  const known = components.get(schema.title)
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas are called ${schema.title}`)
  }
  components.set(schema.title, schema)
  return { $ref: `#/components/schemas/${schema.title}` }
}
