import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { type FieldErrors, invalid, refuseInvalid } from '../../../errors.ts'
import {
  type Draft,
  defineResource,
  lock,
  type Resource,
  type Stored,
  updateStored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { BLANK, TAKEN } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { chooseAddress } from '../subnet/free-address.ts'
import { refuseForeign } from './belonging.ts'
import { refuseRemoval, validateLeaving } from './exclusive.ts'
import { type InterfaceFields, interfaceFields, MODES } from './interface-fields.ts'
import { buildInterfaceSearch, LINKS } from './interface-search.ts'

const KEYS = [
  'subnet_id',
  'subnet_name',
  'subnet6_id',
  'subnet6_name',
  'domain_id',
  'domain_name',
  'created_at',
  'updated_at',
  'managed',
  'identifier',
  'id',
  'name',
  'ip',
  'ip6',
  'mac',
  'mtu',
  'fqdn',
  'primary',
  'provision',
  'type',
  'virtual',
  'tag',
  'attached_to',
  'mode',
  'attached_devices',
  'bond_options',
  'provider',
  'username',
]

/** The interfaces of a host, which are parts of it (core-api §11). */
export const interfaces = defineResource({
  name: 'interface',
  summary: 'A network interface of a host; the primary one carries its name.',
  fields: interfaceFields,
  label: 'name',
  routes: { namedBy: 'label', nestedOnly: true, parents: { host: 'host', domain: 'domain', subnet: 'subnet' } },
  visibility: { partOf: 'host' },
  wire: { paths: { domain: ['list'], subnet: ['list'] } },
  views: { list: KEYS, show: KEYS, deleted: KEYS, order: 'id' },
  readable: {
    mtu: {
      schema: () => z.int().nullable().meta({ description: 'MTU: its own, or that of its subnet.' }),
      sql: selectMtu,
    },
    fqdn: {
      schema: () => z.string().nullable().meta({ description: 'Its full name: with the domain behind a short one.' }),
      sql: (alias) => selectInterfaceName(alias),
    },
  },
  search: buildInterfaceSearch(),
  rules: [
    ({ type }, _draft, _ctx, stored) =>
      stored && type !== undefined && type !== stored.type
        ? { type: ["can't be changed once the interface is saved"] }
        : undefined,
    (_record, draft, _ctx, stored) => validateLeaving(draft, stored),
    validateNeeds,
  ],
  wrapWrite: asPartOfHost(),
})

/** Selects the full name of an interface; a name without a dot gets its domain behind it. */
export function selectInterfaceName(alias: string) {
  const selectColumn = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case when strpos(${selectColumn('name')}, '.') > 0 or ${selectColumn('domain_id')} is null then ${selectColumn('name')}
    else ${selectColumn('name')} || '.' || (select d.name from domains d where d.id = ${selectColumn('domain_id')}) end`
}

function asPartOfHost(): WriteWrapper<InterfaceFields> {
  return {
    keepsCreated: true,
    async create(ctx, draft, next, resource) {
      const { host } = draft
      await refuseTwin(ctx, host, null, draft)
      const id = await next({
        ...withTypeDefaults(draft),
        ...(await chooseAddresses(ctx, host, draft)),
        ...(await withPrimaryName(ctx, host, draft.primary, draft.name)),
      })
      await completeWrite(ctx, resource, host, id)
      return id
    },
    async update(ctx, stored, sent, next, resource) {
      const { host_id: host } = stored
      const draft = await withoutShownMtu(ctx, stored, sent)
      await refuseTwin(ctx, host, stored.id, draft)
      const primary = draft.primary ?? stored.primary
      const name = draft.name === undefined ? stored.name : draft.name
      await next({ ...draft, ...(await withPrimaryName(ctx, host, primary, name)) })
      await completeWrite(ctx, resource, host, stored.id)
      if (primary === true && LINKS.some((link) => draft[link] !== undefined))
        await refuseForeignPrimary(ctx, resource, host, stored)
    },
    async delete(_ctx, stored, next) {
      refuseRemoval(stored)
      await next()
    },
  }
}

/**
 * Fits values to the type of the interface: bonds and bridges are virtual, and a bond has a mode, by default the first.
 */
function withTypeDefaults(draft: Draft<InterfaceFields>): Draft<InterfaceFields> {
  if (draft.type !== 'bond' && draft.type !== 'bridge') return draft
  return { ...draft, virtual: draft.virtual ?? true, ...(draft.type === 'bond' && { mode: draft.mode ?? MODES[0] }) }
}

/** Requires the values that an interface of its type needs. */
function validateNeeds({ type, virtual, attached_to, provider }: Draft<InterfaceFields>): FieldErrors | undefined {
  const isVlan = (type ?? 'interface') === 'interface' && virtual === true
  const errors: FieldErrors = {
    ...(type === 'bmc' && !provider && { provider: [BLANK] }),
    ...(isVlan && !attached_to && { attached_to: [BLANK] }),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

const UNIQUE_OF_HOST = ['identifier', 'ip', 'ip6'] as const

/**
 * Refuses an identifier or an address that another interface of the host has, unless this one has it, too, as facts may have
 * told. Concurrent requests for one host wait for each other.
 */
async function refuseTwin(ctx: Context, host: number, id: number | null, draft: Draft<InterfaceFields>): Promise<void> {
  const wanted = Object.fromEntries(UNIQUE_OF_HOST.map((name) => [name, draft[name] || null]))
  if (UNIQUE_OF_HOST.every((name) => wanted[name] === null)) return
  void ctx.db.enqueue(sql`select from hosts where id = ${host} for no key update`)
  const selectTaken = (name: (typeof UNIQUE_OF_HOST)[number]) => {
    const isSame = sql`${sql.ref(name)} = ${wanted[name]}::${name === 'identifier' ? sql`text` : sql`inet`}`
    return sql`coalesce(bool_or(${isSame}) filter (where id is distinct from ${id}::bigint)
      and bool_or(${isSame}) filter (where id = ${id}::bigint) is not true, false) as ${sql.ref(name)}`
  }
  const taken = await row<Record<string, boolean>>(
    ctx.db,
    sql`select ${sql.join(UNIQUE_OF_HOST.map(selectTaken))} from interfaces where host_id = ${host}`,
  )
  refuseInvalid(Object.fromEntries(UNIQUE_OF_HOST.flatMap((name) => (taken?.[name] ? [[name, [TAKEN]]] : []))), id)
}

/** Leaves out the MTU of the subnet that is shown and was sent back: it is no choice. */
async function withoutShownMtu(
  ctx: Context,
  stored: Stored<InterfaceFields>,
  { mtu, ...draft }: Draft<InterfaceFields>,
): Promise<Draft<InterfaceFields>> {
  if (mtu === undefined) return draft
  if (mtu === null || stored.mtu !== null) return { ...draft, mtu }
  const shown = await row<{ mtu: number | null }>(
    ctx.db,
    sql`select ${selectMtu('i')} as mtu from interfaces i where i.id = ${stored.id}`,
  )
  return shown?.mtu === mtu ? draft : { ...draft, mtu }
}

/** Selects the MTU of an interface: its own, or else that of its subnet. */
export function selectMtu(alias: string): Sql {
  const selectOf = (subnet: string) => sql`(select s.mtu from subnets s where s.id = ${sql.ref(`${alias}.${subnet}`)})`
  return sql`coalesce(${sql.ref(`${alias}.mtu`)}, ${selectOf('subnet_id')}, ${selectOf('subnet6_id')})`
}

/** Gives the primary interface the name of its host if it has none. */
async function withPrimaryName(
  ctx: Context,
  host: number,
  primary: boolean | undefined,
  name: string | null | undefined,
): Promise<{ readonly name?: string }> {
  if (primary !== true || (name ?? null) !== null) return {}
  const found = await row<{ name: string }>(ctx.db, sql`select name from hosts where id = ${host}`)
  return found ? { name: found.name } : {}
}

/** Refuses new links of the primary interface to records that belong elsewhere than the host. */
async function refuseForeignPrimary(
  ctx: Context,
  { registry }: Resource,
  host: number,
  stored: Stored<InterfaceFields>,
): Promise<void> {
  const hosts = registry.get('host')
  const own = await row<Stored>(ctx.db, sql`select * from hosts where id = ${host}`)
  if (!hosts || !own) return
  const place = { organization: own.organization_id, location: own.location_id }
  const links = Object.fromEntries(LINKS.map((link) => [`${link}_id`, stored[`${link}_id`]]))
  await refuseForeign(ctx, hosts, host, place, { isMoved: false, links: { ...own, ...links } })
}

interface State {
  readonly name: string | null
  readonly hostName: string
  readonly primary: boolean
  readonly ip: boolean | null
  readonly ip6: boolean | null
  readonly family: boolean | null
  readonly family6: boolean | null
}

/**
 * Selects whether an address is outside of its subnet. An address of the other family is; the database would refuse to
 * mask it.
 */
function isOutside(address: string, subnet: string): Sql {
  const ip = sql.ref(address)
  const [mask, network] = [sql.ref(`${subnet}.mask`), sql.ref(`${subnet}.network`)]
  return sql`case when family(${ip}) = family(${mask}) then (${ip} & ${mask}) <> (${network} & ${mask}) else ${ip} is not null and ${mask} is not null end`
}

function selectState(id: number): Sql {
  return sql`select ${selectInterfaceName('i')} as name, h.name as "hostName", i."primary",
      ${isOutside('i.ip', 's')} as ip, ${isOutside('i.ip6', 's6')} as ip6,
      s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
    from interfaces i join hosts h on h.id = i.host_id
    left join subnets s on s.id = i.subnet_id left join subnets s6 on s6.id = i.subnet6_id
    where i.id = ${id}`
}

/** Checks an interface after a write, and renames the host after its primary interface. */
async function completeWrite(ctx: Context, resource: Resource, host: number, id: number): Promise<void> {
  const state = await row<State>(ctx.db, selectState(id))
  if (!state) return
  const errors: FieldErrors = {
    ...(state.family && { subnet_id: ['must be a subnet of IPv4 addresses'] }),
    ...(state.family6 && { subnet6_id: ['must be a subnet of IPv6 addresses'] }),
    ...(state.ip && !state.family && { ip: ['does not match selected subnet'] }),
    ...(state.ip6 && !state.family6 && { ip6: ['does not match selected subnet'] }),
  }
  refuseInvalid(errors, id)
  if (!state.primary || state.name === null || state.name === state.hostName) return
  const hosts = resource.registry.get('host')
  if (hosts) await updateStored(ctx, hosts, await lock(ctx, hosts, host), { name: state.name })
}

/**
 * Chooses an address of each subnet in which a new interface has none. A managed host needs one; others do without it where
 * all are taken. {@throws Failure} invalid
 */
async function chooseAddresses(
  ctx: Context,
  host: number,
  { managed, mac, ...draft }: Draft<InterfaceFields>,
): Promise<Draft<InterfaceFields>> {
  const chosen: Draft<InterfaceFields> = {}
  if (managed === false) return chosen
  for (const [subnet, key] of ADDRESS_OF) {
    const id = draft[subnet] ?? null
    const address = id === null || draft[key] ? undefined : await chooseAddress(ctx, id, mac ?? null)
    if (address) chosen[key] = address
    else if (address === null) await refuseWithoutAddress(ctx, host, key)
  }
  return chosen
}

const ADDRESS_OF = [
  ['subnet', 'ip'],
  ['subnet6', 'ip6'],
] as const

async function refuseWithoutAddress(ctx: Context, host: number, key: 'ip' | 'ip6'): Promise<void> {
  const managed = await row(ctx.db, sql`select from hosts where id = ${host} and managed`)
  if (managed) throw invalid({ [key]: ['has to be given: the subnet has no free address'] })
}
