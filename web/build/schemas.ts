/** The parts of an OpenAPI document that are read. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface DescribedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly additionalProperties?: unknown
}

/** Creates a reader of operations' schemas, which resolves references. */
export function createSchemaReader({ paths, components }: Document) {
  const resolve = (schema: Schema | undefined): Schema => {
    if (!schema?.$ref) return schema ?? {}
    return resolve(components.schemas[schema.$ref.split('/').at(-1) ?? ''])
  }
  /** Yields the keys of an object, merged from all its alternatives. */
  const keysOf = (given: Schema | undefined): Record<string, Schema> => {
    const schema = resolve(given)
    const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
    const own = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, resolve(value)] as const)
    return Object.assign({}, ...parts.map(keysOf), Object.fromEntries(own))
  }
  const findOperation = (method: string, path: string) => paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  return {
    resolve,
    keysOf,
    body: (method: string, path: string): Schema =>
      resolve(findOperation(method, path)?.requestBody?.content['application/json']?.schema),
    answer: (method: string, path: string): Schema => {
      const { responses = {} } = findOperation(method, path) ?? {}
      return resolve((responses['200'] ?? responses['201'])?.content?.['application/json']?.schema)
    },
  }
}

export type SchemaReader = ReturnType<typeof createSchemaReader>

/** Yields the type of a value without null: `string`, `integer`; `any` where several are allowed. */
export function typeOf(schema: Schema): string {
  const parts = schema.anyOf?.filter((one) => one.type !== 'null') ?? []
  if (schema.type === undefined && parts.length === 1 && parts[0]) return typeOf(parts[0])
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  return types.length === 1 && types[0] ? types[0] : schema.enum ? 'string' : 'any'
}

/** Lists what a value may be. */
export function alternativesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternativesOf) : [schema]
}
