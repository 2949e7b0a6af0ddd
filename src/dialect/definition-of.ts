import type { z } from 'zod'

/** What zod says of the values of a schema; which of it there is depends on the type. */
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

/** The definition of a schema: every one of zod has it. */
export function definitionOf(schema: z.ZodType): SchemaDefinition {
  return schema.def
}
