import { z } from 'zod'
import type { Context } from '../../context.ts'
import { type Sql, selectObject } from '../../database/sql.ts'
import { idOf, readNumber, readNumbers, readObjects, readText, readTexts } from '../../lib/values.ts'
import { buildIdsSchema, buildNamedSchema, buildNamesSchema } from '../../requests/named.ts'
import { BLANK, NOT_INTEGER, toIds, toInteger, toText } from '../../requests/sent.ts'
import { selectMoment } from '../../requests/times.ts'
import { sql } from '../../sql.ts'
import type { Field, FieldPosition, ReadableKey, Reference, Resource } from '../definition.ts'
import type { Link, Required, Sent } from '../record.ts'
import { findByLabel, findIds } from '../reference.ts'
import { singularOf } from '../resources.ts'
import { findReadableKey } from '../store/select.ts'
import { listNamed } from '../visibility.ts'

/** Options of a field that links to one record. */
interface LinkOptions {
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

/** Options of a field that links to many records. */
interface LinksOptions {
  readonly doc: string
  /** The link table: one column points at this resource, another at the target. */
  readonly through: string
  /** Column of the link table that points at this resource; default: `<its table in the singular>_id`. */
  readonly own?: string
  /** Column of the link table that points at the target; default: `<target>_id`. */
  readonly other?: string
  readonly show?: readonly string[]
  readonly readOnly?: boolean
  readonly search?: true | 'name' // by the label of the target, or by its name where the label is longer
}

/**
 * Declares a field that refers to any number of records of another resource. Requests send `<singular>_ids`,
 * `<singular>_names`, a list of objects with ids or names, or `<singular>_titles` for trees. An empty list removes all
 * links, null changes nothing (core-api §2.7).
 */
export function links(target: string, options: LinksOptions): Field<readonly number[]> {
  const { doc, through, show = ['id', 'name'], readOnly = false, search } = options
  const ownOf = (at: FieldPosition) => options.own ?? `${singularOf(at.resource.table)}_id`
  const other = options.other ?? `${target}_id`
  const wordOf = (at: FieldPosition) => singularOf(at.name)

  return {
    kind: 'links',
    doc,
    writable: (at) => (readOnly ? {} : describeKeys(at.name, wordOf(at), at.target(target).label, doc)),
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(buildObjectSchema(at.target(target), show)).meta({ description: doc }),
        names: () => listNamed(at.target(target), show),
        sql: (alias) => {
          const { table, label = 'id' } = at.target(target)
          return sql`coalesce((select json_agg(${selectNestedObject(at.target(target), show)} order by ${sql.ref(`x.${label}`)}, x.id) from ${sql.table(through)} l join ${sql.table(table)} x on x.id = ${sql.ref(`l.${other}`)} where ${sql.ref(`l.${ownOf(at)}`)} = ${sql.ref(`${alias}.id`)}), '[]')`
        },
      },
    }),
    search: (at) => {
      if (!search) return []
      const column = search === 'name' ? search : (at.target(target).label ?? 'id')
      const toLink = { table: through, column: ownOf(at), previous: 'id' }
      const toTarget = { table: at.target(target).table, column: 'id', previous: other }
      const common = { many: true, nullable: true, explicit: true }
      const to = (column: string) => ({ leadsTo: { resource: target, column } })
      return [
        { name: wordOf(at), type: 'text', column, through: [toLink, toTarget], ...common, ...to('id') },
        { name: `${wordOf(at)}_id`, type: 'integer', column: other, through: [toLink], ...common, ...to(other) },
      ]
    },
    read: async (ctx, at, sent, later) => {
      const ids = await idsOf(ctx, at, at.target(target), sent, later)
      return ids && [...new Set(ids)].sort((a, b) => a - b)
    },
    elsewhere: {
      sql: (at, alias) =>
        sql`array(select ${sql.ref(`l.${other}`)} from ${sql.table(through)} l where ${sql.ref(`l.${ownOf(at)}`)} = ${sql.ref(`${alias}.id`)} order by 1)`,
      store: (ctx, at, id, value) => replace(ctx, through, ownOf(at), other, id, value),
      auditedAs: (at) => `${wordOf(at)}_ids`,
      tables: (at) => [through, at.target(target).table],
      linkTable: (at) => ({ table: through, own: ownOf(at), other }),
    },
    within: (at, alias, parent) => ({
      sql: sql`exists (select from ${sql.table(through)} l where ${sql.ref(`l.${ownOf(at)}`)} = ${sql.ref(`${alias}.id`)} and ${sql.ref(`l.${other}`)} = ${parent})`,
      tables: [through],
    }),
    refersTo: { resource: target },
  }
}

function describeKeys(plural: string, singular: string, label: string | undefined, doc: string) {
  const list = (build: () => z.ZodType, how: string) => () =>
    build()
      .nullable()
      .meta({ description: `${doc} ${how}` })
  return {
    [`${singular}_ids`]: { schema: list(buildIdsSchema, 'Replaces the list.'), coerce: toIds },
    [`${singular}_names`]: { schema: list(buildNamesSchema, 'By name; replaces the list.') },
    ...(label === 'title' && {
      [`${singular}_titles`]: { schema: list(buildNamesSchema, 'By title; replaces the list.') },
    }),
    [plural]: { schema: list(buildNamedSchema, 'As objects with id or name.') },
  }
}

async function idsOf(ctx: Context, at: FieldPosition, other: Resource, sent: Sent, later?: Reference[]) {
  const singular = singularOf(at.name)
  const objects = readObjects(sent, at.name)
  const ids = readNumbers(sent, `${singular}_ids`) ?? (objects?.every(({ id }) => id) ? objects.map(idOf) : undefined)
  if (ids && later) later.push({ target: other, ids, listed: true })
  if (ids) return later ? ids : findIds(ctx, other, ids)
  const names =
    readTexts(sent, `${singular}_names`) ??
    readTexts(sent, `${singular}_titles`) ??
    (objects?.every(({ name }) => name) ? objects.map(({ name }) => String(name)) : undefined)
  return names ? findByLabel(ctx, other, names) : undefined
}

/** Makes these ids the only ones that the link table has for a record. Rows of ids that stay are not touched. */
async function replace(ctx: Context, through: string, own: string, other: string, id: number, ids: readonly number[]) {
  const table = sql.table(through)
  const remove = sql`delete from ${table} where ${sql.ref(own)} = ${id} and not ${sql.ref(other)} = any (${ids}::bigint[])`
  const add = sql`insert into ${table} (${sql.ref(own)}, ${sql.ref(other)})
    select ${id}::bigint, unnest(${ids}::bigint[]) on conflict do nothing`
  await (ids.length === 0 ? remove : sql`with removed as (${remove}) ${add}`).execute(ctx.db)
}
