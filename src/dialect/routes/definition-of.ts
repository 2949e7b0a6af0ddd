import type { z } from 'zod'

/** The parts of a zod schema's definition; which are present depends on its type. */
export interface SchemaDefinition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
  readonly entries?: Readonly<Record<string, string>>
}

/** Yields the definition that every zod schema has. */
export function definitionOf(schema: z.ZodType): SchemaDefinition {
  return schema.def
}
