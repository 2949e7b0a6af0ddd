import { sql } from 'kysely'
import { z } from 'zod'
import type { NestedKeys } from '../../../records/nested.ts'

/** What records are shown by inside of others: some of these keys, described once. */
export const KEYS = {
  id: z.int().meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
  label: z.string().meta({ description: 'Its label, which never changes.' }),
  version: z.string().meta({ description: 'Its number, such as 1.0.' }),
  content_view_id: z.int().meta({ description: 'Id of the content view that it is a version of.' }),
} as const

type Key = keyof typeof KEYS

/** A record inside of another, in these keys. */
export function nestedRecord<const Shown extends readonly Key[]>(...keys: Shown) {
  return z.object(Object.fromEntries(keys.map((key) => [key, KEYS[key]])))
}

/** A record by its id and its name: a row with this alias, called so in descriptions. */
export function called(what: string, alias: string): NestedKeys {
  return {
    id: [z.int().meta({ description: `Id of the ${what}.` }), sql.raw(`${alias}.id`)],
    name: [z.string().meta({ description: `Name of the ${what}.` }), sql.raw(`${alias}.name`)],
  }
}

/** A record inside of another, in these keys of a row with this alias. */
export function named(alias: string, ...keys: readonly Key[]): NestedKeys {
  return Object.fromEntries(keys.map((key) => [key, [KEYS[key], sql.raw(`${alias}.${key}`)]]))
}

/** Errata by kind: content itself is not kept here. */
export const ERRATA = z.object({
  security: z.int().meta({ description: 'Those about security.' }),
  bugfix: z.int().meta({ description: 'Those that mend something.' }),
  enhancement: z.int().meta({ description: 'Those that add something.' }),
  total: z.int().meta({ description: 'All of them.' }),
})

/** The order of a list that nobody orders. */
export const NO_ORDER = z.object({
  by: z.null().meta({ description: 'Always null.' }),
  order: z.null().meta({ description: 'Always null.' }),
})
