import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import {
  type Definition,
  type Draft,
  link,
  type ReadableKey,
  type Stored,
  text,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { refuseLoop, resolvePosition, rewriteBelow } from '../../../records/tree.ts'
import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { ownParamSearch, parameterParts, presentParameters } from '../../parameters/index.ts'
import { resolveAuthority } from '../config-authority.ts'
import { rootPassword, sealDraftPassword } from '../root-password.ts'
import { buildSystemVersion } from '../system-version.ts'
import { clone } from './clone.ts'
import { buildInheritedKeys, INHERITED_LINKS, selectEffectiveColumn } from './inherited.ts'
import { pxeLoader } from './pxe-loader.ts'

/** Search fields of host groups beside their own columns (core-api §8.6). */
const hostgroupSearch: readonly SearchField[] = [
  { name: 'label', type: 'text', column: 'title', explicit: true },
  buildSystemSearch('os', 'name'),
  buildSystemSearch('os_title', 'title'),
  buildSystemSearch('os_description', 'description'),
  { name: 'os_id', type: 'integer', column: 'operatingsystem_id', nullable: true, explicit: true },
  // A blank part is smaller than every number, so that it is also another one.
  ...buildSystemVersion(-1),
  {
    name: 'host',
    type: 'text',
    column: 'name',
    through: [{ table: 'hosts', column: 'hostgroup_id', previous: 'id' }],
    leadsTo: { resource: 'host', column: 'id' },
    many: true,
    nullable: true,
    explicit: true,
  },
  ownParamSearch('hostgroup'),
]

function buildSystemSearch(name: string, column: string): SearchField {
  const through = [{ table: 'operatingsystems', column: 'id', previous: 'operatingsystem_id' }]
  return { name, type: 'text', column, through, nullable: true, explicit: true }
}

const namesOf = (name: string) => [`${name}_id`, `${name}_name`]

const fields = {
  name: text({ required: true, search: 'free', doc: 'Unique among its siblings (case-insensitive).' }),
  title: text({ readOnly: true, required: true, search: 'free', doc: 'Names from the root, joined by slashes.' }),
  description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
  parent: link('hostgroup', { onDelete: 'around', doc: 'The parent group.' }),
  environment: link('environment', { search: true, doc: 'Environment of the configuration engine.' }),
  operatingsystem: link('operatingsystem', { search: true, doc: 'Operating system to install.' }),
  architecture: link('architecture', { search: true, doc: 'Architecture of its machines.' }),
  medium: link('medium', { search: true, doc: 'Installation medium.' }),
  ptable: link('ptable', { search: true, doc: 'Partition table.' }),
  subnet: link('subnet', { search: true, doc: 'Subnet of IPv4 addresses.' }),
  subnet6: link('subnet', { search: true, doc: 'Subnet of IPv6 addresses.' }),
  domain: link('domain', { search: true, doc: 'Domain of its hosts.' }),
  realm: link('realm', { search: true, doc: 'Realm that its hosts join.' }),
  compute_resource: link('compute_resource', {
    search: true,
    doc: 'Compute resource on which its virtual machines run.',
  }),
  compute_profile: link('compute_profile', { search: true, doc: 'Compute profile of its virtual machines.' }),
  config_proxy: link('smart_proxy', { search: true, doc: 'Proxy that starts configuration runs.' }),
  config_ca_proxy: link('smart_proxy', { search: true, doc: 'Proxy that signs certificates.' }),
  pxe_loader: pxeLoader(),
  root_pass: rootPassword(),
  parameters: parameterParts('hostgroup'),
  ...buildTaxonomyFields('hostgroup'),
}

type HostgroupFields = typeof fields

/** The keys of host groups in lists, in order. */
export const HOSTGROUP_KEYS = [
  ...['subnet', 'operatingsystem', 'domain', 'environment', 'compute_profile'].flatMap(namesOf),
  'ancestry',
  'parent_id',
  'parent_name',
  ...['ptable', 'medium'].flatMap(namesOf),
  'pxe_loader',
  ...['subnet6', 'compute_resource', 'architecture', 'realm'].flatMap(namesOf),
  'created_at',
  'updated_at',
  'id',
  'name',
  'title',
  'description',
  ...['config_proxy', 'config_ca_proxy'].flatMap(namesOf),
  'config_proxy',
  'config_ca_proxy',
  ...Object.keys(INHERITED_LINKS).map((name) => `inherited_${name}_id`),
  'inherited_pxe_loader',
]

/** The columns of the row itself, which deletions and copies answer. */
const RAW_KEYS = [
  'id',
  'name',
  'title',
  'description',
  'ancestry',
  'parent_id',
  'environment_id',
  'operatingsystem_id',
  'architecture_id',
  'medium_id',
  'ptable_id',
  'subnet_id',
  'subnet6_id',
  'domain_id',
  'realm_id',
  'compute_resource_id',
  'compute_profile_id',
  'config_proxy_id',
  'config_ca_proxy_id',
  'pxe_loader',
  'created_at',
  'updated_at',
]

/**
 * The declaration of host groups, without the contributions of other areas, which `areas/index.ts` adds (core-api §11).
 * Groups form a tree: an empty value is inherited from the nearest ancestor that has one.
 */
export const hostgroup = {
  name: 'hostgroup',
  summary: 'A group of hosts that hands down values; groups lie within each other.',
  fields: fields,
  label: 'title',
  visibility: { taxable: true },
  views: {
    query: HIDDEN_QUERY,
    list: HOSTGROUP_KEYS,
    show: [...HOSTGROUP_KEYS, 'parameters', 'locations', 'organizations'],
    deleted: RAW_KEYS,
    asked: [{ parameter: 'include', words: ['parameters'], keys: ['parameters'] }],
    order: 'title',
    transform: presentParameters,
  },
  readable: { ...buildInheritedKeys(), pxe_loader: buildEffectiveLoader(), ancestry: buildAncestry() },
  search: hostgroupSearch,
  wrapWrite: buildTreeWrites(),
  routes: { parents: { architecture: 'architecture', domain: 'domain' } },
  wire: { paths: { architecture: ['list'], domain: ['list'] } },
  actions: [clone],
} as const satisfies Definition

function buildEffectiveLoader(): ReadableKey {
  return {
    schema: () => z.string().nullable().meta({ description: 'Network boot loader: its own or an inherited one.' }),
    sql: (alias) => selectEffectiveColumn(alias, 'pxe_loader'),
  }
}

function buildAncestry(): ReadableKey {
  return {
    schema: () => z.string().nullable().meta({ description: 'Ids of its ancestors from the root, joined by slashes.' }),
    sql: (alias) => sql`nullif(array_to_string(${sql.ref(`${alias}.ancestor_ids`)}, '/'), '')`,
  }
}

const TABLE = 'hostgroups'

function buildTreeWrites(): WriteWrapper<HostgroupFields> {
  return {
    async create(ctx, draft, next) {
      const { title, ancestor_ids } = await resolvePosition(ctx, TABLE, null, draft.parent ?? null, draft.name)
      const authority = await resolveAuthority(ctx, draft, {})
      const id = await next({ ...draft, ...authority, ...(await withSealedPassword(ctx, draft, null)), title })
      await putBelow(ctx, id, ancestor_ids)
      return id
    },
    async update(ctx, stored, draft, next) {
      const name = draft.name ?? stored.name
      const before = stored.parent_id
      const parent = draft.parent === undefined ? before : draft.parent
      const place = await resolvePosition(ctx, TABLE, stored.id, parent, name)
      refuseLoop(stored.id, parent, place.ancestor_ids)
      const { config_proxy_id: config_proxy, config_ca_proxy_id: config_ca_proxy } = stored
      const values = {
        ...withoutShownLoader(draft, stored, await loadLoaderAbove(ctx, parent)),
        ...(await resolveAuthority(ctx, draft, { config_proxy, config_ca_proxy })),
        ...(await withSealedPassword(ctx, draft, stored)),
      }
      if (place.title === stored.title && parent === before) return next(values)
      await putBelow(ctx, stored.id, place.ancestor_ids)
      await next({ ...values, title: place.title })
      await rewriteBelow(ctx, TABLE, stored.id)
    },
    async delete(ctx, stored, next) {
      const child = await row(ctx.db, sql`select from hostgroups where parent_id = ${stored.id} limit 1`)
      if (child) throw new Failure('conflict', `Cannot delete group ${stored.title} because it has nested host groups.`)
      await next()
    },
  }
}

async function putBelow(ctx: Context, id: number, ancestors: readonly number[]): Promise<void> {
  await sql`update hostgroups set ancestor_ids = ${ancestors}::bigint[] where id = ${id}`.execute(ctx.db)
}

/** Loads the boot loader that groups below this one inherit. */
async function loadLoaderAbove(ctx: Context, parent: number | null): Promise<string | null> {
  if (parent === null) return null
  const found = await row<{ loader: string | null }>(
    ctx.db,
    sql`select ${selectEffectiveColumn('g', 'pxe_loader')} as loader from hostgroups g where g.id = ${parent}`,
  )
  return found?.loader ?? null
}

/** Leaves out the inherited boot loader that is shown and was sent back: it is no choice. */
function withoutShownLoader(
  { pxe_loader, ...values }: Draft<HostgroupFields>,
  stored: Stored<HostgroupFields>,
  above: string | null,
): Draft<HostgroupFields> {
  const isShown = stored.pxe_loader === null && above !== null && pxe_loader === above
  return pxe_loader === undefined || isShown ? values : { ...values, pxe_loader }
}

/** Hashes a sent root password as the operating system of the group, its own or an inherited one, needs it. */
async function withSealedPassword(
  ctx: Context,
  draft: Draft<HostgroupFields>,
  stored: Stored<HostgroupFields> | null,
): Promise<Draft> {
  if (draft.root_pass === undefined) return {}
  const own = draft.operatingsystem === undefined ? stored?.operatingsystem_id : draft.operatingsystem
  const parent = draft.parent === undefined ? stored?.parent_id : draft.parent
  const above = await row<{ id: number | null }>(
    ctx.db,
    sql`select ${selectEffectiveColumn('g', 'operatingsystem_id')} as id from hostgroups g where g.id = ${parent ?? null}::bigint`,
  )
  return sealDraftPassword(ctx, 'hostgroups', draft, stored, own ?? above?.id)
}
