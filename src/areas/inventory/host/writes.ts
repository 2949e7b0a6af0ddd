import type { Context } from '../../../context.ts'
import { isViolationOf } from '../../../database/failures.ts'
import { finishFragment, row } from '../../../database/sql.ts'
import { type FieldErrors, invalid, refuseInvalid } from '../../../errors.ts'
import { type Draft, type Stored, TAXONOMIES, type WriteWrapper } from '../../../kernel/index.ts'
import type { Members } from '../../../lib/values.ts'
import type { Item } from '../../../records/parts.ts'
import { BLANK, TAKEN } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { resolveAuthority } from '../config-authority.ts'
import { INHERITED_COLUMNS, selectEffectiveColumn } from '../hostgroup/inherited.ts'
import { sealDraftPassword } from '../root-password.ts'
import { hasPlacedLinks, refuseForeign } from './belonging.ts'
import type { HostFields } from './fields.ts'
import type { InterfaceFields, PrimaryDraft } from './interface-fields.ts'
import { loadPrimaryDomain, loadPrimaryLinks, refuseOutside, resolveFullName } from './naming.ts'
import { createNetwork, type Network, updateNetwork } from './network.ts'
import { resolveOwnerColumns } from './owner.ts'

const NO_NETWORK: Network = { primary: {}, items: [], inherited: {} }

/** Extends the writes of hosts (core-api §1.5): values of the group, full name, interfaces, owner. */
export const hostWrites: WriteWrapper<HostFields> = {
  keepsCreated: true,
  async create(ctx, draft, next, resource) {
    const network = draft.interfaces ?? NO_NETWORK
    const group = await loadInherited(ctx, draft.hostgroup)
    const inherited: PrimaryDraft = computeInheritedByNew(group.primary, network.primary)
    const values: Draft<HostFields> = {
      managed: true,
      ...ownValuesOf(draft),
      ...computeInheritedByNew(group.host, draft),
    }
    const domain = inherited.domain ?? network.primary.domain ?? null
    const naming = await resolveFullName(ctx, draft.name, domain, null, values)
    refuseOutside(naming, values.managed, null)
    refuseHomeless(values, null)
    const id = await next({
      ...values,
      ...(await resolveAuthority(ctx, values, {})),
      name: naming.name,
      ...(await resolveOwnerColumns(ctx, draft.owner, null)),
      ...(await sealDraftPassword(ctx, 'hosts', values, null, values.operatingsystem)),
      ...resolveBuild(ctx, values, null),
    })
    await createNetwork(ctx, resource, id, naming, { ...network, inherited })
    await refuseUnready(ctx, id, null, draft)
    const mayBeForeign =
      hasPlacedLinks(values, inherited, network.primary, { domain: naming.domain }) || network.items.some(isLinked)
    if (mayBeForeign)
      await refuseForeign(ctx, resource, id, { organization: values.organization, location: values.location }, null)
    return id
  },

  async update(ctx, stored, draft, next, resource) {
    const network = draft.interfaces ?? NO_NETWORK
    const moves = draft.hostgroup !== undefined && draft.hostgroup !== stored.hostgroup_id
    const group = await loadInherited(ctx, moves ? draft.hostgroup : null)
    const values: Draft<HostFields> = { ...computeInheritedByMoving(group.host, draft, stored), ...ownValuesOf(draft) }
    if (isShownName(draft, stored)) delete values.certname
    refuseHomeless(values, stored)
    const isMoved = TAXONOMIES.some(
      ({ kind }) => (values[kind] ?? null) !== null && values[kind] !== stored[`${kind}_id`],
    )
    const mayLink = moves || isMoved || hasPlacedLinks(values, network.primary) || network.items.length > 0
    const before = mayLink ? await loadPrimaryLinks(ctx, stored.id) : {}
    const inherited: PrimaryDraft = computeInheritedByMoving(group.primary, network.primary, before)
    const renamed = await rename(ctx, stored, draft, { ...inherited, ...network.primary })
    const system = values.operatingsystem === undefined ? stored.operatingsystem_id : values.operatingsystem
    const { config_proxy_id: config_proxy, config_ca_proxy_id: config_ca_proxy } = stored
    const changes: Draft<HostFields> = {
      ...values,
      ...(await resolveAuthority(ctx, values, { config_proxy, config_ca_proxy })),
      ...renamed.values,
      ...(await resolveOwnerColumns(ctx, draft.owner, stored)),
      ...(await sealDraftPassword(ctx, 'hosts', values, stored, system)),
      ...resolveBuild(ctx, values, stored),
    }
    await refuseSharedAddress(stored.id, () => next(changes))
    await updateNetwork(ctx, resource, stored.id, renamed.primary, { ...network, inherited })
    await refuseUnready(ctx, stored.id, stored, draft)
    const names = hasPlacedLinks(values, inherited, network.primary, renamed.primary) || network.items.length > 0
    if (!isMoved && !names) return
    const place = {
      organization: values.organization === undefined ? stored.organization_id : values.organization,
      location: values.location === undefined ? stored.location_id : values.location,
    }
    await refuseForeign(ctx, resource, stored.id, place, { isMoved, links: { ...stored, ...before } })
  },
}

/**
 * Turns a violated constraint into a message: a host that becomes managed must not share an address with another
 * managed one.
 */
async function refuseSharedAddress(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw isViolationOf(error, 'interfaces_mac_key') ? invalid({ mac: [TAKEN] }, id) : error
  }
}

function placeOf({ organization_id, location_id }: Stored<HostFields>) {
  return { organization: organization_id, location: location_id }
}

/** Whether an item about an interface has a domain or a subnet, by id or name. */
function isLinked({ validated: { sent } }: Item): boolean {
  return Object.keys(sent).some((key) => /^(domain|subnet)/.test(key))
}

/** The values in the host's own row. */
function ownValuesOf({ interfaces: _interfaces, owner: _owner, ...values }: Draft<HostFields>): Draft<HostFields> {
  return values
}

/** Whether the certificate name is the shown default sent back, which sets nothing. */
function isShownName({ name, certname }: Draft<HostFields>, stored: Stored<HostFields>): boolean {
  return stored.certname === null && certname === stored.name && (name === undefined || name === stored.name)
}

/** Requires organization and location of a managed host (core-api §1.5). */
function refuseHomeless(values: Draft<HostFields>, stored: Stored<HostFields> | null): void {
  if (!(values.managed ?? stored?.managed)) return
  const errors: FieldErrors = {}
  for (const { kind } of TAXONOMIES) {
    const place = values[kind] === undefined ? stored?.[`${kind}_id`] : values[kind]
    if ((place ?? null) === null) errors[`${kind}_id`] = [BLANK]
  }
  refuseInvalid(errors, stored?.id ?? null)
}

/** Stores when an installation was requested, and clears the error of an earlier one. */
function resolveBuild(ctx: Context, { build }: Draft<HostFields>, stored: Stored<HostFields> | null) {
  if (build !== true || stored?.build === true) return {}
  return { initiated_at: ctx.now().toISOString(), installed_at: null, build_errors: null }
}

/** Resolves changes of name and domain, which host and primary interface share. */
async function rename(
  ctx: Context,
  stored: Stored<HostFields>,
  { name, ...placed }: Draft<HostFields>,
  primary: PrimaryDraft,
): Promise<{ readonly values: Draft<HostFields>; readonly primary: Draft<InterfaceFields> }> {
  const becomesManaged = placed.managed === true && stored.managed !== true
  if (name === undefined && primary.domain === undefined && !becomesManaged) return { values: {}, primary: {} }
  const before = await loadPrimaryDomain(ctx, stored.id)
  const short = name === undefined || !name.includes('.')
  const chosen = primary.domain === undefined ? (short ? before : null) : primary.domain
  const naming =
    primary.domain === null
      ? { name: name ?? stored.name, domain: null, isWithin: true }
      : await resolveFullName(ctx, name ?? stored.name, chosen, before, { ...placeOf(stored), ...placed })
  refuseOutside(naming, placed.managed ?? stored.managed, stored.id)
  const renames = naming.name !== stored.name
  return {
    values: renames || name !== undefined ? { name: naming.name } : {},
    primary: { ...(renames && { name: naming.name }), ...(naming.domain !== before && { domain: naming.domain }) },
  }
}

/** Values of a group that go to the primary interface of a host instead of to the host. */
const OF_INTERFACE = new Set(['subnet', 'subnet6', 'domain'])

// This part of the statement is constant and long, so that it is built only once.
const IN_FORCE = finishFragment(
  sql.join(INHERITED_COLUMNS.map((column) => sql`${selectEffectiveColumn('g', column)} as ${sql.ref(column)}`)),
)

/** The values that a host takes from its group (core-api §1.5), by field; null where no group on the path has one. */
export interface Inherited {
  readonly host: Draft<HostFields>
  readonly primary: PrimaryDraft
}

/** Loads the values that a host takes from this group; none without a group. */
async function loadInherited(ctx: Context, hostgroup: number | null | undefined): Promise<Inherited> {
  if (!hostgroup) return { host: {}, primary: {} }
  const found = await row<Record<string, unknown>>(
    ctx.db,
    sql`select ${IN_FORCE} from hostgroups g where g.id = ${hostgroup}`,
  )
  const given = Object.entries(found ?? {}).map(([column, value]) => [column.replace(/_id$/, ''), value] as const)
  return {
    host: Object.fromEntries(given.filter(([name]) => !OF_INTERFACE.has(name))),
    primary: Object.fromEntries(given.filter(([name]) => OF_INTERFACE.has(name))),
  }
}

/** Computes what a new host inherits: all fields that the request leaves out or empty. */
function computeInheritedByNew<Values extends Draft>(given: Values, sent: Values): Draft {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && (sent[name] ?? null) === null),
  )
}

/**
 * Computes what a host inherits that moves to another group: always its proxies, even none, and its configuration;
 * values for installation and network only where the host has none.
 */
function computeInheritedByMoving<Values extends Draft>(given: Values, sent: Values, stored: Members): Draft {
  const isEmpty = (name: string) => (stored[`${name}_id`] ?? stored[name] ?? null) === null
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        sent[name] === undefined && (PROXIES.has(name) || (value !== null && (CONFIGURES.has(name) || isEmpty(name)))),
    ),
  )
}

const PROXIES = new Set(['config_proxy', 'config_ca_proxy'])
const CONFIGURES = new Set(['environment', 'compute_profile', 'realm'])

/** What a managed host lacks for its installation, by the key that would set it. */
interface Missing {
  readonly architecture_id: boolean
  readonly operatingsystem_id: boolean
  readonly mac: boolean
  readonly root_pass: boolean
}

/** The fields that decide what a managed host needs. */
const CONCERNED = [
  'managed',
  'build',
  'hostgroup',
  'architecture',
  'operatingsystem',
  'compute_resource',
  'provision_method',
  'root_pass',
  'interfaces',
] as const

/**
 * Requires of a managed host what its installation needs: an operating system for its architecture, an address (unless
 * a compute resource provides it) and, to be built, a root password. {@throws Failure} invalid, naming each
 */
async function refuseUnready(
  ctx: Context,
  id: number,
  stored: Stored<HostFields> | null,
  draft: Draft<HostFields>,
): Promise<void> {
  const managed = draft.managed ?? stored?.managed ?? true
  if (managed !== true || !CONCERNED.some((name) => stored === null || draft[name] !== undefined)) return
  const missing = await row<Missing>(
    ctx.db,
    sql`select h.architecture_id is null as architecture_id, h.operatingsystem_id is null as operatingsystem_id,
        h.compute_resource_id is null and exists (
          select from interfaces i where i.host_id = h.id and i.provision and i.managed and not i.virtual and i.mac is null) as mac,
        h.build and h.provision_method = 'build' and h.root_pass is null
          and not exists (select from hostgroups g where g.id = h.hostgroup_id and ${selectEffectiveColumn('g', 'root_pass')} is not null)
          and ${ctx.settings.root_pass === ''} as root_pass
      from hosts h where h.id = ${id}`,
  )
  const errors = Object.entries({ ...missing }).filter(([, isMissing]) => isMissing)
  if (errors.length === 0) return
  const sentenceOf = (key: string) => (key === 'root_pass' ? NO_PASSWORD : BLANK)
  throw invalid(Object.fromEntries(errors.map(([key]) => [key, [sentenceOf(key)]])), stored?.id ?? null)
}

const NO_PASSWORD = 'should not be blank - consider setting a global or host group default'
