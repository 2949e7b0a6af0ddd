import { z } from 'zod'
import type { Context } from '../../context.ts'
import { idOf, readNumbers, readObjects, readTexts } from '../../lib/values.ts'
import { buildIdsSchema, buildNamedSchema, buildNamesSchema } from '../../requests/named.ts'
import { toIds } from '../../requests/sent.ts'
import { sql } from '../../sql.ts'
import type { Field, FieldPosition, Reference, Resource } from '../definition.ts'
import type { Sent } from '../record.ts'
import { findByLabel, findIds } from '../reference.ts'
import { singularOf } from '../resources.ts'
import { listNamed } from '../visibility.ts'
import { buildObjectSchema, selectNestedObject } from './link.ts'

/** Options of a field that links to many records. */
export interface LinksOptions {
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
