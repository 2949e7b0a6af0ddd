import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { audit } from '../../kernel/audit.ts'
import { lock } from '../../kernel/operations/change.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import {
  type Around,
  type Draft,
  defineResource,
  type Fields,
  type Resource,
  type Stored,
} from '../../kernel/resource.ts'
import { refuseForeign } from './belonging.ts'
import { interfaceFields } from './interface-fields.ts'

const KEYS = [
  ...['subnet_id', 'subnet_name', 'subnet6_id', 'subnet6_name', 'domain_id', 'domain_name', 'created_at', 'updated_at'],
  ...[
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
  ],
  ...['tag', 'attached_to', 'mode', 'attached_devices', 'bond_options', 'provider', 'username'],
]

/** Core-api §11: one way of a host into a network, a part of the host. */
export const interfaces = defineResource({
  name: 'interface',
  summary: 'A network interface of a host; the primary one carries its name.',
  fields: interfaceFields,
  label: 'name',
  namedBy: 'label',
  order: 'id',
  partOf: 'host',
  nestedOnly: true,
  parents: { host: 'host' },
  views: { list: KEYS, show: KEYS, deleted: KEYS },
  readable: {
    fqdn: {
      schema: () => z.string().nullable().meta({ description: 'Its full name: with the domain behind a short one.' }),
      sql: (alias) => fqdn(alias),
    },
  },
  rules: [
    ({ type }, _draft, _ctx, stored) =>
      stored && type !== undefined && type !== stored.type
        ? { type: ["can't be changed once the interface is saved"] }
        : undefined,
    (_record, draft, _ctx, stored) => refuseLeaving(draft, stored),
  ],
  around: asPartOfHost(),
})

/** Its full name: with the domain behind a short one. */
export function fqdn(alias: string) {
  const at = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case when strpos(${at('name')}, '.') > 0 or ${at('domain_id')} is null then ${at('name')}
    else ${at('name')} || '.' || (select d.name from domains d where d.id = ${at('domain_id')}) end`
}

const SINGLE = ['primary', 'provision'] as const
const STAYS = 'is what exactly one interface of a host is: choose another one for it instead'

function refuseLeaving(draft: Draft, stored: Stored | null): FieldErrors | undefined {
  const left = SINGLE.filter((flag) => stored?.[flag] === true && draft[flag] === false)
  return left.length > 0 ? Object.fromEntries(left.map((flag) => [flag, [STAYS]])) : undefined
}

function asPartOfHost(): Around<Fields> {
  return {
    async create(ctx, draft, next, resource) {
      const host = Number(draft.host)
      await takeOver(ctx, resource, host, null, draft)
      const id = await next(draft)
      await settled(ctx, resource, host, id)
      return id
    },
    async update(ctx, stored, draft, next, resource) {
      const host = Number(stored.host_id)
      await takeOver(ctx, resource, host, stored.id, draft)
      const primary = draft.primary ?? stored.primary
      const nameless = primary === true && (draft.name === undefined ? stored.name : draft.name) === null
      await next(nameless ? { ...draft, name: await nameOf(ctx, host) } : draft)
      await settled(ctx, resource, host, stored.id)
      if (primary === true && LINKS.some((link) => draft[link] !== undefined)) await suits(ctx, resource, host)
    },
    async delete(_ctx, stored, next) {
      const kept = SINGLE.filter((flag) => stored[flag] === true)
      if (kept.length > 0) throw invalid(Object.fromEntries(kept.map((flag) => [flag, [STAYS]])), stored.id)
      await next()
    },
  }
}

interface Former {
  readonly id: number
  readonly name: string | null
  readonly primary: boolean
  readonly provision: boolean
}

/** What becomes the primary or provisioning interface takes that from the one that was it. */
async function takeOver(ctx: Context, resource: Resource, host: number, id: number | null, draft: Draft) {
  const [primary, provision] = [draft.primary === true, draft.provision === true]
  if (!primary && !provision) return
  const former = await rows<Former>(
    ctx.db,
    sql`with former as (
        select id, name, "primary" and ${primary} as "primary", provision and ${provision} as provision from interfaces
        where host_id = ${host} and id is distinct from ${id}::bigint
          and ("primary" and ${primary} or provision and ${provision}) for no key update
      )
      update interfaces i set "primary" = i."primary" and not former."primary",
        provision = i.provision and not former.provision, updated_at = now()
      from former where former.id = i.id
      returning i.id, i.name, former."primary", former.provision`,
  )
  for (const { id, name, ...left } of former) {
    const changes = SINGLE.filter((flag) => left[flag]).map((flag) => [flag, [true, false]])
    await audit(ctx, resource, 'update', { id, label: name }, Object.fromEntries(changes))
  }
}

async function nameOf(ctx: Context, host: number): Promise<string | undefined> {
  return (await row<{ name: string }>(ctx.db, sql`select name from hosts where id = ${host}`))?.name
}

const LINKS = ['domain', 'subnet', 'subnet6'] as const

/** The primary interface refers to nothing that belongs elsewhere than the host. */
async function suits(ctx: Context, { registry }: Resource, host: number): Promise<void> {
  const hosts = registry.get('host')
  const place = await row<{ organization: number | null; location: number | null }>(
    ctx.db,
    sql`select organization_id as organization, location_id as location from hosts where id = ${host}`,
  )
  if (hosts && place) await refuseForeign(ctx, hosts, host, place)
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

/** What has to hold of it beside its subnets; the host follows the name of its primary interface. */
async function settled(ctx: Context, resource: Resource, host: number, id: number): Promise<void> {
  const state = await row<State>(
    ctx.db,
    sql`select ${fqdn('i')} as name, h.name as "hostName", i."primary",
        (i.ip & s.mask) is distinct from s.network and s.id is not null and i.ip is not null as ip,
        (i.ip6 & s6.mask) is distinct from s6.network and s6.id is not null and i.ip6 is not null as ip6,
        s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
      from interfaces i join hosts h on h.id = i.host_id
      left join subnets s on s.id = i.subnet_id left join subnets s6 on s6.id = i.subnet6_id
      where i.id = ${id}`,
  )
  if (!state) return
  const errors: FieldErrors = {
    ...(state.family && { subnet_id: ['must be a subnet of IPv4 addresses'] }),
    ...(state.family6 && { subnet6_id: ['must be a subnet of IPv6 addresses'] }),
    ...(state.ip && !state.family && { ip: ['does not match selected subnet'] }),
    ...(state.ip6 && !state.family6 && { ip6: ['does not match selected subnet'] }),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors, id)
  if (!state.primary || state.name === null || state.name === state.hostName) return
  const hosts = resource.registry.get('host')
  if (hosts) await updateStored(ctx, hosts, await lock(ctx, hosts, host), { name: state.name })
}
