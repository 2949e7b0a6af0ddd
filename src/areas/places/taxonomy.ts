import { z } from 'zod'
import type { Context } from '../../context.ts'
import { type Definition, links, type ReadableKey, TAXONOMIES, type Taxonomy } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import { HIDDEN_QUERY } from '../access/index.ts'
import { presentParameters } from '../parameters/index.ts'
import { buildContentFields, buildTreeFields, CONTENTS, membersField } from './contents.ts'
import { validateIgnoredTypes } from './members.ts'
import { limitToOwnTaxonomies } from './own.ts'
import { buildTreeWrites } from './tree-writes.ts'

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
    schema: () => z.int().meta({ description: 'Hosts that belong to it directly.' }),
    sql: (alias) => sql`(select count(*) from hosts h where ${sql.ref(`h.${kind}_id`)} = ${sql.ref(`${alias}.id`)})`,
  }
}

const ORGANIZATION_FACTS = buildTreeFacts(ORGANIZATION, 'locations')

/** The declaration of organizations (core-api §5.1, §11). */
export const organization = {
  name: 'organization',
  routes: { invalidates: 'identities', parents: { location: 'locations' } },
  summary: 'An organization of records. Organizations form a tree; their members see the records in them.',
  fields: {
    ...buildTreeFields('organization'),
    ...buildOrganizationContents(),
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
  summary: 'A location of records. Locations form a tree; their members see the records in them.',
  fields: {
    ...buildTreeFields('location'),
    organizations: links('organization', {
      through: 'location_organizations',
      show: ['id', 'name', 'title', 'description'],
      doc: 'Organizations at this location.',
    }),
    users: membersField(LOCATION),
    ...buildContentFields(LOCATION),
  },
  permissions: { further: ['assign_locations'] },
  ...buildTreeFacts(LOCATION, 'organizations'),
} as const satisfies Definition

/** The fields of what is in an organization: its locations, its users, and records of other kinds. */
export function buildOrganizationContents() {
  return {
    locations: links('location', {
      through: 'location_organizations',
      show: ['id', 'name', 'title', 'description'],
      doc: 'Locations it works in.',
    }),
    users: membersField(ORGANIZATION),
    ...buildContentFields(ORGANIZATION),
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
      transform: presentParameters,
    },
    readable: { ancestry, hosts_count: buildHostsCount(taxonomy) },
    records: {
      where: (ctx: Context, alias: string) => limitToOwnTaxonomies(ctx, taxonomy, alias),
      tables: [taxonomy.plural, `user_${taxonomy.plural}`],
    },
    rules: [validateIgnoredTypes],
    wrapWrite: buildTreeWrites(taxonomy),
  } as const
}
