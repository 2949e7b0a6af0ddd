import { z } from 'zod'
import type { Sql } from '../../database/sql.ts'
import { selectInOrder } from '../../database/stored-order.ts'
import type { ReadableKey } from '../../kernel/index.ts'
import { buildStatedSchema, type StatedKey, type StatedKeys, selectStated } from '../../records/nested.ts'
import { HIDDEN } from '../../requests/masks.ts'
import { selectMoment } from '../../requests/times.ts'
import { sql } from '../../sql.ts'
import { LEVELS } from './levels.ts'

/** Selects the value for answers: masked if it is hidden. */
function selectMaskedValue(alias: string): Sql {
  const hidden = sql.ref(`${alias}.hidden_value`)
  return sql`case when ${hidden} then ${sql.lit(JSON.stringify(HIDDEN))}::json else ${selectInOrder('parameters', alias)} end`
}

/** The keys of a parameter that are not columns of its table. */
export const PARAMETER_KEYS = {
  priority: {
    schema: () =>
      z.int().meta({ description: 'Priority: of parameters with one name the highest counts.', examples: [70] }),
    sql: (alias: string) => selectByOwner(alias, ({ priority }) => sql.lit(priority), sql.lit(0)),
  },
  associated_type: {
    schema: () =>
      z.string().meta({ description: 'Type of the record that the parameter belongs to; `global` for none.' }),
    sql: (alias: string) => selectByOwner(alias, ({ word }) => sql.lit(word), sql.lit('global')),
  },
  reference_id: {
    schema: () => z.int().nullable().meta({ description: 'Id of what it belongs to.' }),
    sql: (alias: string) => selectByOwner(alias, ({ owner }) => sql.ref(`${alias}.${owner}_id`), sql`null`),
  },
  'hidden_value?': {
    schema: () =>
      z.boolean().meta({ description: 'Whether the value is shown on demand only, to those who may edit it.' }),
    sql: (alias: string) => sql.ref(`${alias}.hidden_value`),
  },
  value: {
    schema: () => z.json().meta({ description: 'The value, of its type; ***** while it is hidden.' }),
    sql: selectMaskedValue,
  },
  key_type: {
    schema: () => z.string().meta({ description: 'The same as parameter_type.' }),
    sql: (alias: string) => sql.ref(`${alias}.parameter_type`),
  },
} as const satisfies Readonly<Record<string, ReadableKey>>

const selectColumn =
  (name: string) =>
  (alias: string): Sql =>
    sql.ref(`${alias}.${name}`)
const selectMomentOf =
  (name: string) =>
  (alias: string): Sql =>
    selectMoment(sql.ref(`${alias}.${name}`))

/** The keys of a parameter as its owner shows it, and in lists of one level. */
const NESTED: StatedKeys<string> = {
  priority: buildStated('priority'),
  created_at: [z.string().meta({ description: 'Time of creation.' }), selectMomentOf('created_at')],
  updated_at: [z.string().meta({ description: 'Time of the last change.' }), selectMomentOf('updated_at')],
  id: [z.int().meta({ description: 'Its id.' }), selectColumn('id')],
  name: [z.string().meta({ description: 'Its name.' }), selectColumn('name')],
  parameter_type: [z.string().meta({ description: 'The type of its value.' }), selectColumn('parameter_type')],
  associated_type: buildStated('associated_type'),
  'hidden_value?': buildStated('hidden_value?'),
  value: buildStated('value'),
}

/** The keys of a parameter as its owner shows it, and of lists of one level. */
export const NESTED_KEYS: readonly string[] = Object.keys(NESTED)

/** Selects one parameter as an object, with the keys of its own list. */
export function selectParameterObject(alias: string): Sql {
  return selectStated(NESTED, alias)
}

/** The schema of a list of parameters inside of another record. */
export function buildParametersSchema(description: string): z.ZodType {
  return z.array(buildStatedSchema(NESTED)).meta({ description })
}

function buildStated(key: keyof typeof PARAMETER_KEYS): StatedKey<string> {
  const { schema, sql: value } = PARAMETER_KEYS[key]
  return [schema(), value]
}

/**
 * Whether a row is a global parameter, one without an owner. The condition has to equal that of the index
 * `parameters_name_idx`.
 */
export function isGlobal(alias: string): Sql {
  const empty = LEVELS.map(({ owner }) => sql`${sql.ref(`${alias}.${owner}_id`)} is null`)
  return sql`(${sql.join(empty, sql` and `)})`
}

function selectByOwner(alias: string, value: (level: (typeof LEVELS)[number]) => Sql, otherwise: Sql): Sql {
  const cases = LEVELS.map(
    (level) => sql`when ${sql.ref(`${alias}.${level.owner}_id`)} is not null then ${value(level)}`,
  )
  return sql`case ${sql.join(cases, sql` `)} else ${otherwise} end`
}
