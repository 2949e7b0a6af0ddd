import { z } from 'zod'
import type { NestedKeys } from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'

/** Schemas of the keys that nested records can have. */
export const KEYS = {
  id: z.int().meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
  label: z.string().meta({ description: 'Its label, which never changes.' }),
  version: z.string().meta({ description: 'Its number, such as 1.0.' }),
  content_view_id: z.int().meta({ description: 'Id of the content view that it is a version of.' }),
} as const

type Key = keyof typeof KEYS

/** The schema of a nested record with these keys. */
export function buildNestedRecordSchema<const Shown extends readonly Key[]>(...keys: Shown) {
  return z.object(Object.fromEntries(keys.map((key) => [key, KEYS[key]])))
}

/** The keys id and name of a row with this alias; `what` is its word in descriptions. */
export function namedKeys(what: string, alias: string): NestedKeys {
  return {
    id: [z.int().meta({ description: `Id of the ${what}.` }), sql.raw(`${alias}.id`)],
    name: [z.string().meta({ description: `Name of the ${what}.` }), sql.raw(`${alias}.name`)],
  }
}

/** Some of the keys of {@link KEYS}, from the columns of a row with this alias. */
export function rowKeys(alias: string, ...keys: readonly Key[]): NestedKeys {
  return Object.fromEntries(keys.map((key) => [key, [KEYS[key], sql.raw(`${alias}.${key}`)]]))
}

/** The schema of errata counts by kind; content itself is not held here. */
export const ERRATA = z.object({
  security: z.int().meta({ description: 'Number of security errata.' }),
  bugfix: z.int().meta({ description: 'Number of bugfix errata.' }),
  enhancement: z.int().meta({ description: 'Number of enhancement errata.' }),
  total: z.int().meta({ description: 'All of them.' }),
})

/** The `sort` of lists without an order. */
export const NO_ORDER = z.object({
  by: z.null().meta({ description: 'Always null.' }),
  order: z.null().meta({ description: 'Always null.' }),
})
