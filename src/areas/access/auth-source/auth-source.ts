import { type Context, withoutScope } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { defineResource, joinConditions, limitToScope, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { joinAll, joinAny, sql } from '../../../sql.ts'
import { externalSourceWrites } from './guard.ts'

const name = text({ required: true, max: 60, search: 'free', doc: 'Unique among all authentication sources.' })
const type = text({
  readOnly: true,
  required: true,
  doc: 'AuthSourceInternal, AuthSourceExternal, AuthSourceLdap or AuthSourceOidc.',
})
const KEYS = ['created_at', 'updated_at', 'id', 'name']

/** All authentication sources but the hidden one, whatever their kind (core-api §1.4). */
export const authSources = defineResource({
  name: 'auth_source',
  permissions: { word: 'authenticators' },
  summary: 'A source of users, of any kind.',
  fields: { name, type, ...buildTaxonomyFields('auth_source') },
  operations: ['list'],
  label: 'name',
  views: {
    list: ['created_at', 'updated_at', 'id', 'type', 'name', 'locations', 'organizations'],
    show: ['created_at', 'updated_at', 'id', 'type', 'name'],
  },
  visibility: { taxable: 'when_named' },
  records: {
    where: (ctx, alias) =>
      joinAll([sql`${sql.ref(`${alias}.type`)} <> 'AuthSourceHidden'`, ...limitToReachableDirectories(ctx, alias)]),
    tables: ['auth_source_organizations', 'auth_source_locations'],
  },
})

/** Limits directories and providers to the caller's organizations and locations; the internal and the external source have none. */
function limitToReachableDirectories(ctx: Context, alias: string): Sql[] {
  const inside = limitToScope(withoutScope(ctx), { table: 'auth_sources', type: 'AuthSource', taxable: true })
  if (inside.length === 0) return []
  return [
    joinAny([sql`${sql.ref(`${alias}.type`)} not in ('AuthSourceLdap', 'AuthSourceOidc')`, joinConditions(inside)]),
  ]
}

/** The source of users whose passwords this service stores (core-api §1.4). */
export const internalAuthSources = defineResource({
  name: 'auth_source_internal',
  words: { type: 'AuthSource' },
  permissions: { word: 'authenticators' },
  summary: 'The source of users whose passwords this service stores.',
  fields: { name, type },
  operations: ['list', 'show'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
  records: { where: (_ctx, alias) => sql`${sql.ref(`${alias}.type`)} = 'AuthSourceInternal'`, table: 'auth_sources' },
})

/** Sources of users that a web server in front of this one has authenticated (spec 2.2 and 4.1, core-api §1.2). */
export const externalAuthSources = defineResource({
  name: 'auth_source_external',
  words: {
    type: 'AuthSource',
    called: () => 'EXTERNAL',
  },
  permissions: { word: 'authenticators' },
  summary: 'The source of users whom a trusted web server in front of the service authenticates.',
  fields: {
    name,
    type,
    external_usergroups: children('external_usergroup', {
      by: 'auth_source_id',
      doc: 'Directory groups that are linked to user groups.',
    }),
    ...buildTaxonomyFields('auth_source'),
  },
  operations: ['list', 'show', 'update'],
  views: {
    list: [...KEYS, 'locations', 'organizations'],
    show: [...KEYS, 'external_usergroups', 'locations', 'organizations'],
    order: 'name',
  },
  visibility: { taxable: 'when_named' },
  records: { where: (_ctx, alias) => sql`${sql.ref(`${alias}.type`)} = 'AuthSourceExternal'`, table: 'auth_sources' },
  wrapWrite: externalSourceWrites,
})
