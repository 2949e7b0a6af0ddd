import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { selectInOrder } from '../../../database/stored-order.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { nestedList } from '../../../records/nested.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'

const MASK = sql`${sql.lit(JSON.stringify(HIDDEN))}::json`

/** Readable keys of parameters that are no columns (spec 2.8, smart-parameters §1.4). */
export const parameterReadable: Readonly<Record<string, ReadableKey>> = {
  'hidden_value?': {
    schema: () => z.boolean().meta({ description: 'Whether answers hide its values by default.' }),
    sql: (alias) => sql.ref(`${alias}.hidden_value`),
  },
  use_config_default: {
    schema: () => z.boolean().nullable().meta({ description: 'Deprecated name of omit.' }),
    sql: (alias) => sql.ref(`${alias}.omit`),
  },
  default_value: {
    schema: () =>
      z.json().meta({ description: 'The value where nothing matches, of its type; ***** while it is hidden.' }),
    sql: (alias) =>
      sql`case when ${sql.ref(`${alias}.hidden_value`)} then ${MASK} else ${selectInOrder('smart_class_parameters', alias)} end`,
  },
  override_value_order: {
    schema: () =>
      z
        .string()
        .meta({ description: 'Order in which matches are looked up: its own, or the default from the settings.' }),
    sql: (alias) => sql`coalesce(${sql.ref(`${alias}.override_value_order`)}, (
      select string_agg(line.text, E'\n' order by line.number)
      from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line (text, number)
      where s.name = 'Default_parameters_Lookup_Path'), '')`,
  },
  override_values_count: {
    schema: () => z.int().meta({ description: 'Number of values that override the default.' }),
    sql: (alias) =>
      sql`(select count(*) from override_values o where o.smart_class_parameter_id = ${sql.ref(`${alias}.id`)})`,
  },
  override_values: nestedList('The values that override the default.', (own) => ({
    keys: {
      id: [z.int().meta({ description: 'Its id.' }), sql`o.id`],
      match: [z.string().meta({ description: OVERRIDE_WORDS.match }), sql`o.match`],
      value: [z.json().meta({ description: OVERRIDE_WORDS.value }), selectOverrideValue('o', own('hidden_value'))],
      omit: [z.boolean().meta({ description: OVERRIDE_WORDS.omit }), sql`o.omit`],
      use_config_default: [z.boolean().meta({ description: 'Deprecated name of omit.' }), sql`o.omit`],
      created_at: [z.string().meta({ description: 'Time of creation.' }), selectMoment(sql`o.created_at`)],
      updated_at: [z.string().meta({ description: 'Time of the last change.' }), selectMoment(sql`o.updated_at`)],
    },
    from: sql`override_values o where o.smart_class_parameter_id = ${own('id')}`,
    order: sql`o.id`,
  })),
}

/** Selects the value of an override for answers, masked if it is hidden. */
export function selectOverrideValue(alias: string, hidden: Sql): Sql {
  return sql`case when ${hidden} then ${MASK} else ${selectInOrder('override_values', alias)} end`
}

/** Readable keys with further forms of an override: for a host, and its value as text. */
export const OVERRIDE_WORDS = {
  match:
    'Hosts that the value applies to, e.g. `os=Debian 12.4`: the attributes of one line of the order, separated by commas.',
  value: 'The value there, of the type of its parameter; ***** while that is hidden.',
  omit: 'Omits the parameter, so that the value of the manifest applies.',
} as const
