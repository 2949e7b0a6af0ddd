import { z } from 'zod'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { [keyword: string]: unknown }

/** Converts zod schemas to JSON schemas. An object with a title is written once and referenced. */
export interface SchemaWriter {
  /** `input` for requests, which may have undeclared keys; `output` for answers, which have none. */
  readonly write: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema
  /** Yields the schemas with a title, by title. */
  readonly components: () => Record<string, JsonSchema>
}

/** Creates the writer of one API description, which throws an error for two different schemas with one title. */
export function createSchemaWriter(): SchemaWriter {
  const components = new Map<string, JsonSchema>()
  const convert = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $schema: _dialect, $defs: _any, ...written } = z.toJSONSchema(schema, { io, override: tidy }) as JsonSchema
    return shareTitled(written, components) as JsonSchema
  }
  // Routes share most of their schemas: of six that are written, five have been written before.
  const known = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() }
  return {
    write: (schema, io) => {
      const written = known[io].get(schema) ?? convert(schema, io)
      known[io].set(schema, written)
      return written
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Removes what does not help readers: bounds that every JSON number keeps, and patterns of dates. */
function tidy({ jsonSchema: schema }: { jsonSchema: JsonSchema }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time') delete schema.pattern
}

/** Replaces schemas of objects with a title by references, inner ones first, and collects them. */
function shareTitled(value: unknown, components: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => shareTitled(item, components))
  if (typeof value !== 'object' || value === null) return value
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'examples' ? inner : shareTitled(inner, components)]),
  )
  // The only schema that zod itself refers to is the recursive one of any JSON value, which says nothing.
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/$defs/')) delete schema.$ref
  if (typeof schema.title !== 'string' || schema.type !== 'object') return schema
  const known = components.get(schema.title)
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas are called ${schema.title}`)
  }
  components.set(schema.title, schema)
  return { $ref: `#/components/schemas/${schema.title}` }
}
