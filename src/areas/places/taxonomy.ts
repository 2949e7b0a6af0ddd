import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { Failure, invalid } from '../../errors.ts'
import { limitToVisible } from '../../kernel/authorize.ts'
import { joinConditions } from '../../kernel/condition.ts'
import type { Around, Definition, ReadableKey, Resource } from '../../kernel/definition.ts'
import { link, links, text } from '../../kernel/fields/index.ts'
import type { Stored } from '../../kernel/record.ts'
import { limitToOwnTaxonomies, TAXONOMIES, type Taxonomy } from '../../kernel/scope.ts'
import { refuseLoop, resolvePosition, rewriteBelow } from '../../records/tree.ts'
import { words } from '../../records/words.ts'
import { refuseMove } from '../access/index.ts'
import { HIDDEN_QUERY, parameterParts, presentParameters } from '../parameters/index.ts'
import { CONTENTS, contentFields, membersField } from './contents.ts'
import { refuseMembers, validateIgnoredTypes } from './members.ts'

/** Types of records that a location or organization can take in as a whole. */
const TYPES = [
  'User',
  'SmartProxy',
  'Subnet',
  'ComputeResource',
  'Medium',
  'Ptable',
  'ProvisioningTemplate',
  'Domain',
  'Realm',
  'Environment',
  'Hostgroup',
] as const

const KEYS = ['ancestry', 'parent_id', 'parent_name', 'created_at', 'updated_at', 'id', 'name', 'title', 'description']

/** The columns of the row itself, which a deletion answers. */
const RAW_KEYS = [
  'id',
  'name',
  'description',
  'ancestry',
  'parent_id',
  'title',
  'select_all_types',
  'created_at',
  'updated_at',
]
const [ORGANIZATION, LOCATION] = TAXONOMIES

/** The label of an organization: chosen and searched below `/content/api`. */
const label: ReadableKey = {
  schema: () => z.string().meta({ description: 'Label of the record, for programs.' }),
  sql: (alias) => sql.ref(`${alias}.label`),
}

/** Ids from the root to the parent, joined by `/`; null for a root. */
const ancestry: ReadableKey = {
  schema: () => z.string().nullable().meta({ description: 'Ids of its ancestors from the root, joined by slashes.' }),
  sql: (alias) => sql`nullif(array_to_string(${sql.ref(`${alias}.ancestor_ids`)}, '/'), '')`,
}

function buildHostsCount({ kind }: Taxonomy): ReadableKey {
  return {
    schema: () => z.int().meta({ description: 'Hosts that belong to it itself.' }),
    sql: (alias) => sql`(select count(*) from hosts h where ${sql.ref(`h.${kind}_id`)} = ${sql.ref(`${alias}.id`)})`,
  }
}

const ORGANIZATION_FACTS = buildTreeFacts(ORGANIZATION, 'locations')

/** The declaration of organizations (core-api §5.1, §11). */
export const organization = {
  name: 'organization',
  routes: { invalidates: 'identities', parents: { location: 'locations' } },
  summary: 'An organization that records belong to. Organizations form a tree; their members see the records in them.',
  fields: {
    ...buildTreeFields('organization'),
    locations: links('location', {
      through: 'location_organizations',
      show: ['id', 'name', 'title', 'description'],
      doc: 'Locations it works in.',
    }),
    users: membersField(ORGANIZATION),
    ...contentFields(ORGANIZATION),
  },
  permissions: { further: ['assign_organizations'] },
  ...ORGANIZATION_FACTS,
  views: {
    ...ORGANIZATION_FACTS.views,
    query: HIDDEN_QUERY,
    list: ['label', ...ORGANIZATION_FACTS.views.list],
    show: ['label', ...ORGANIZATION_FACTS.views.show],
  },
  readable: { ...ORGANIZATION_FACTS.readable, label },
} as const satisfies Definition

/** The declaration of locations (core-api §5.1, §11). */
export const location = {
  name: 'location',
  routes: { invalidates: 'identities', parents: { organization: 'organizations' } },
  summary: 'A location that records belong to. Locations form a tree; their members see the records in them.',
  fields: {
    ...buildTreeFields('location'),
    organizations: links('organization', {
      through: 'location_organizations',
      show: ['id', 'name', 'title', 'description'],
      doc: 'Organizations that work there.',
    }),
    users: membersField(LOCATION),
    ...contentFields(LOCATION),
  },
  permissions: { further: ['assign_locations'] },
  ...buildTreeFacts(LOCATION, 'organizations'),
} as const satisfies Definition

/** The fields that locations and organizations share. */
export function buildTreeFields(kind: Taxonomy['kind']) {
  return {
    name: text({ required: true, search: 'free', doc: 'Unique among its siblings, whatever the case.' }),
    description: text({ max: 65_535, search: 'explicit', doc: 'For people.' }),
    parent: link(kind, { onDelete: 'around', doc: `The ${kind} it is a part of.` }),
    title: text({ readOnly: true, required: true, search: 'free', doc: 'Names from the root, joined by slashes.' }),
    ignore_types: words({ of: TYPES, column: 'select_all_types', doc: 'Types whose records all belong to it.' }),
    parameters: parameterParts(kind),
  }
}

/** The other declarations that locations and organizations share. */
export function buildTreeFacts(taxonomy: Taxonomy, others: 'organizations' | 'locations') {
  return {
    label: 'title',
    views: {
      list: KEYS,
      show: [...KEYS, 'select_all_types', 'hosts_count', 'users', ...Object.keys(CONTENTS), others, 'parameters'],
      deleted: RAW_KEYS,
      order: 'title',
      shown: presentParameters,
    },
    readable: { ancestry, hosts_count: buildHostsCount(taxonomy) },
    records: {
      where: (ctx: Context, alias: string) => limitToOwnTaxonomies(ctx, taxonomy, alias),
      tables: [taxonomy.plural, `user_${taxonomy.plural}`],
    },
    rules: [validateIgnoredTypes],
    around: buildTreeWrites(taxonomy),
  } as const
}

function buildTreeWrites(taxonomy: Taxonomy): Around {
  const { plural } = taxonomy
  return {
    async create(ctx, draft, next, resource) {
      await refuseMembers(ctx, resource, taxonomy, draft, null)
      const place = await resolvePosition(ctx, plural, null, parentOf(draft.parent), String(draft.name))
      const id = await next({ ...draft, title: place.title })
      await sql`update ${sql.table(plural)} set ancestor_ids = ${place.ancestor_ids}::bigint[] where id = ${id}`.execute(
        ctx.db,
      )
      if (!ctx.user.admin) await join(ctx, taxonomy, id)
      return id
    },
    async update(ctx, stored, draft, next, resource) {
      await refuseMembers(ctx, resource, taxonomy, draft, stored)
      const name = String(draft.name ?? stored.name)
      const parent = draft.parent === undefined ? parentOf(stored.parent_id) : parentOf(draft.parent)
      const place = await resolvePosition(ctx, plural, stored.id, parent, name)
      refuseLoop(stored.id, parent, place.ancestor_ids)
      if (parent !== null && parent !== parentOf(stored.parent_id))
        await refuseMove(ctx, resource.registry, taxonomy, { id: stored.id, parent })
      if (place.title === stored.title && parent === parentOf(stored.parent_id)) return next(draft)
      await sql`update ${sql.table(plural)} set ancestor_ids = ${place.ancestor_ids}::bigint[] where id = ${stored.id}`.execute(
        ctx.db,
      )
      await next({ ...draft, title: place.title })
      await rewriteBelow(ctx, plural, stored.id)
    },
    async delete(ctx, stored, next, resource) {
      await refuseWithChildren(ctx, plural, stored)
      await refuseWhileLimiting(ctx, resource, taxonomy, stored)
      await next()
    },
  }
}

function parentOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** Adds the creator as a member, unless they are an administrator: otherwise they could not see their new place. */
async function join(ctx: Context, { kind, plural }: Taxonomy, id: number): Promise<void> {
  await sql`insert into ${sql.table(`user_${plural}`)} (user_id, ${sql.ref(`${kind}_id`)}) values (${ctx.user.id}, ${id}) on conflict do nothing`.execute(
    ctx.db,
  )
}

async function refuseWithChildren(ctx: Context, plural: string, stored: Stored): Promise<void> {
  const child = await row(ctx.db, sql`select id from ${sql.table(plural)} where parent_id = ${stored.id} limit 1`)
  if (child) throw new Failure('conflict', `Cannot delete ${stored.title} because it has nested ${plural}.`)
}

/** Refuses to delete a place that a role or filter is limited to: without its last limit it would grant everything. */
async function refuseWhileLimiting(
  ctx: Context,
  { registry }: Resource,
  { kind, plural }: Taxonomy,
  stored: Stored,
): Promise<void> {
  const role = registry.get('role')
  const shown = role ? joinConditions(limitToVisible(ctx, role, 'view_roles')) : sql`false`
  const column = sql.ref(`${kind}_id`)
  const limited = await rows<{ name: string; shown: boolean }>(
    ctx.db,
    sql`select name, ${shown} as shown from roles t where id in (
        select role_id from ${sql.table(`role_${plural}`)} where ${column} = ${stored.id}
        union
        select f.role_id from ${sql.table(`filter_${plural}`)} l join filters f on f.id = l.filter_id where ${column} = ${stored.id})
      order by name`,
  )
  if (limited.length === 0) return
  const users = limited.map(({ name, shown }) =>
    shown ? `used by the role ${name}` : 'being used by a hidden Role resource',
  )
  throw invalid({ base: users.map((user) => `${stored.title} is ${user}`) }, stored.id)
}
