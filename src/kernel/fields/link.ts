import { z } from 'zod'
import { type Sql, selectObject } from '../../database/sql.ts'
import { readNumber, readText } from '../../lib/values.ts'
import { BLANK, NOT_INTEGER, toInteger, toText } from '../../requests/sent.ts'
import { selectMoment } from '../../requests/times.ts'
import { sql } from '../../sql.ts'
import type { Field, FieldPosition, ReadableKey, Resource } from '../definition.ts'
import { findReadableKey } from '../present.ts'
import type { Link, Required } from '../record.ts'
import { findByLabel, findIds } from '../reference.ts'

/** Options of a field that links to one record. */
export interface LinkOptions {
  readonly doc: string
  readonly required?: boolean
  /** What happens to this row when its target is deleted; `wrapWrite`: the target's `wrapWrite.delete` decides. */
  readonly onDelete?: 'restrict' | 'cascade' | 'clear' | 'around'
  /** Keys of the target that answers show as an object under the field's name. */
  readonly show?: readonly string[]
  /** Requests cannot set the link. */
  readonly readOnly?: boolean
  readonly search?: true
}

/** Declares a link to one record of another resource, or none: keys `<name>_id` and `<name>_name`, column `<name>_id`. */
export function link(target: string, options: LinkOptions & Required): Field<number> & Link & Required
export function link(target: string, options: LinkOptions): Field<number | null> & Link
export function link(target: string, options: LinkOptions): Field<number | null> & Link {
  const { doc, required = false, onDelete = 'restrict', show = ['id', 'name'], readOnly = false } = options
  const buildId = () => {
    const schema = z.int({ error: (issue) => (issue.input === null ? BLANK : NOT_INTEGER) }).positive(NOT_INTEGER)
    return (required ? schema : schema.nullable()).meta({ description: doc })
  }
  const label = () => z.nullable(z.string()).meta({ description: `${doc} By name.` })
  return {
    kind: 'link',
    doc,
    required,
    writable: ({ name }) =>
      readOnly
        ? {}
        : {
            [`${name}_id`]: { schema: buildId, coerce: toInteger },
            [`${name}_name`]: { schema: label, coerce: toText },
          },
    readable: (at) => ({
      [`${at.name}_id`]: {
        schema: () => (required ? z.int() : z.int().nullable()).meta({ description: doc }),
        sql: (alias) => sql.ref(`${alias}.${at.name}_id`),
      },
      [`${at.name}_name`]: {
        schema: label,
        sql: (alias) => labelOf(at.target(target), `${alias}.${at.name}_id`),
      },
      [at.name]: {
        schema: () => {
          const schema = buildObjectSchema(at.target(target), show)
          return (required ? schema : schema.nullable()).meta({ description: doc })
        },
        sql: (alias) => {
          const other = at.target(target)
          return sql`(select ${selectNestedObject(other, show)} from ${sql.table(other.table)} x where x.id = ${sql.ref(`${alias}.${at.name}_id`)})`
        },
      },
    }),
    search: (at) => (options.search ? buildRelationSearch(at, target, required) : []),
    column: ({ name }) => ({ name: `${name}_id`, type: 'bigint', nullable: !required }),
    read: async (ctx, at, sent, later) => {
      const byId = readNumber(sent, `${at.name}_id`)
      if (byId !== undefined) {
        if (byId !== null && later) later.push({ target: at.target(target), ids: [byId] })
        if (byId !== null && !later) await findIds(ctx, at.target(target), [byId])
        return byId
      }
      const byName = readText(sent, `${at.name}_name`)
      if (byName === undefined) return undefined
      if (byName === null || byName === '') return null
      return (await findByLabel(ctx, at.target(target), [byName]))[0] ?? null
    },
    within: (at, alias, parent) => ({ sql: sql`${sql.ref(`${alias}.${at.name}_id`)} = ${parent}`, tables: [] }),
    refersTo: { resource: target, onDelete },
  }
}

/** Selects the label of the linked record, under the alias `n`: inside of another record the row with the link may be `x`. */
function labelOf(target: Resource, column: string): Sql {
  return sql`(select ${sql.ref(`n.${target.label ?? 'id'}`)} from ${sql.table(target.table)} n where n.id = ${sql.ref(column)})`
}

/** Selects some keys of the record with the alias `x` as one JSON object. */
export function selectNestedObject(target: Resource, show: readonly string[]): Sql {
  return selectObject(Object.fromEntries(show.map((key) => [key, selectShown(findReadableKey(target, key))])))
}

/** Selects the value of a key of the row `x` as it stands inside of JSON. */
export function selectShown(key: ReadableKey): Sql {
  return key.time ? selectMoment(key.sql('x')) : key.sql('x')
}

/** Builds the schema of a linked record as answers show it: an object with these keys of the target. */
export function buildObjectSchema(target: Resource, show: readonly string[]): z.ZodObject {
  return z.object(Object.fromEntries(show.map((key) => [key, findReadableKey(target, key).schema()])))
}

function buildRelationSearch(at: FieldPosition, target: string, required: boolean) {
  const { table, label = 'id' } = at.target(target)
  const through = [{ table, column: 'id', previous: `${at.name}_id` }]
  return [
    { name: at.name, type: 'text' as const, column: label, through, nullable: !required, explicit: true },
    { name: `${at.name}_id`, type: 'integer' as const, column: `${at.name}_id`, nullable: !required, explicit: true },
  ]
}
