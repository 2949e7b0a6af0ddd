import { asService, type Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import {
  createRecord,
  type Draft,
  type Field,
  type FieldPosition,
  findResource,
  lock,
  type Resource,
  readDraft,
  type Unstored,
  updateStored,
} from '../../../kernel/index.ts'
import type { Members } from '../../../lib/values.ts'
import { type Item, parts, withPartName } from '../../../records/parts.ts'
import { sql } from '../../../sql.ts'
import { lockSubnets } from '../subnet/free-address.ts'
import { OTHER_THERE, release, SINGLE } from './exclusive.ts'
import { type InterfaceFields, type PrimaryDraft, primaryFields } from './interface-fields.ts'
import type { Naming } from './naming.ts'

/** The values of a request about interfaces: keys of the host for the primary one, and a list of items. */
export interface Network {
  readonly primary: PrimaryDraft
  readonly items: readonly Item[]
  /** Values for the primary interface from the host group. */
  readonly inherited: PrimaryDraft
}

const KEY = 'interfaces_attributes'

const PARTS = parts('interface', {
  by: 'host',
  key: KEY,
  doc: 'Its interfaces. The first interface of a new host is primary unless you mark another one.',
})

/**
 * The field for `interfaces_attributes`, and for `ip`, `mac`, `subnet_id`, … of the primary interface. `createNetwork`
 * and `updateNetwork` store it.
 */
export function network(): Field<Network> & Unstored {
  const fields = Object.entries(primaryFields)
  return {
    kind: 'parts',
    doc: PARTS.doc,
    writable: (at) =>
      Object.assign({}, PARTS.writable(at), ...fields.map(([name, field]) => field.writable({ ...at, name }))),
    readable: () => ({}),
    search: () => [],
    within: (_at, alias, domain) => ({
      sql: sql`exists (select from interfaces i where i.host_id = ${sql.ref(`${alias}.id`)} and i."primary" and i.domain_id = ${domain})`,
      tables: ['interfaces'],
    }),
    read: async (ctx, at, sent, later) => {
      const primary: Record<string, unknown> = {}
      for (const [name, { read }] of fields) {
        const value = read ? await read(ctx, { ...at, name }, sent, later) : sent[name]
        if (value !== undefined) primary[name] = value
      }
      const items = await PARTS.read?.(ctx, at, sent)
      return items || Object.keys(primary).length > 0 ? { primary, items: items ?? [], inherited: {} } : undefined
    },
  }
}

/**
 * Creates the primary interface of a new host, from keys of the host and the item about it, and all other interfaces.
 * Keys of the host go before those of the item.
 */
export async function createNetwork(
  ctx: Context,
  host: Resource,
  id: number,
  naming: Naming,
  { primary, items, inherited }: Network,
): Promise<void> {
  refuseSecond(items)
  await lockNetworks(ctx, [{ ...inherited, ...primary }, ...items.map(({ validated }) => validated.sent)])
  const chosen = findPrimaryItem(items, naming.name)
  const provision = !items.some((item) => item !== chosen && item.validated.sent.provision === true)
  const flags = { name: naming.name, primary: true, provision }
  await executeTrusted(ctx, async (trusted) => {
    const resource = interfacesOf(host)
    const said: PrimaryDraft = { ...primary, domain: naming.domain }
    if (!chosen) {
      await createRecord(trusted, resource, { ...inherited, ...said, ...flags, host: id })
      return
    }
    await withPartName({ key: KEY, place: chosen.place }, null, async () => {
      const draft = await readDraft(ctx, resource, chosen.validated, null, { host: id })
      await createRecord(trusted, resource, { ...inherited, ...draft, ...withValues(said), ...flags })
    })
  })
  await writeItems(
    asHostCreator(ctx),
    host,
    id,
    items.filter((item) => item !== chosen),
  )
}

/** Locks the subnets of several interfaces at once: two hosts that need the same ones never wait for each other. */
async function lockNetworks(ctx: Context, interfaces: readonly Members[]): Promise<void> {
  const links = interfaces.flatMap((each) => ['subnet', 'subnet6', 'subnet_id', 'subnet6_id'].map((name) => each[name]))
  const ids = new Set(links.filter((id) => typeof id === 'number'))
  if (ids.size > 1) await lockSubnets(ctx, [...ids])
}

/**
 * Updates the interfaces of a host: name and domain, then each item, then the keys of the host, for the interface that
 * is primary by then.
 */
export async function updateNetwork(
  ctx: Context,
  host: Resource,
  id: number,
  named: Draft<InterfaceFields>,
  { primary, items, inherited }: Network,
): Promise<void> {
  const said: Draft<InterfaceFields> = { ...inherited, ...primary, ...named }
  if (items.length === 0) return changePrimary(ctx, host, id, said)
  await changePrimary(ctx, host, id, { ...inherited, ...named })
  await writeItems(ctx, host, id, items)
  await changePrimary(ctx, host, id, { ...primary, ...('domain' in primary && named) })
}

/** Changes the primary interface of a host, as the service. */
async function changePrimary(ctx: Context, host: Resource, id: number, values: Draft<InterfaceFields>): Promise<void> {
  if (Object.keys(values).length === 0) return
  const resource = interfacesOf(host)
  const found = await row<{ id: number }>(ctx.db, sql`select id from interfaces where host_id = ${id} and "primary"`)
  if (!found) throw new Error(`host ${id} has no primary interface`)
  const stored = await lock(ctx, resource, found.id)
  await executeTrusted(ctx, (trusted) => updateStored(trusted, resource, stored, values))
}

/** Leaves out keys without a value. */
function withValues(draft: PrimaryDraft): PrimaryDraft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
}

/** Finds the item about the primary interface of a new host. */
function findPrimaryItem(items: readonly Item[], name: string): Item | undefined {
  const made = items.filter((item) => item.id === null && !item.remove)
  return (
    made.find((item) => item.validated.sent.primary === true) ??
    made.find(({ label }) => label !== null && (name === label || name.startsWith(`${label}.`))) ??
    made.find(({ label, validated: { sent } }) => label === null && sent.primary !== false && sent.type !== 'bmc')
  )
}

/** Writes the items, after clearing the flags that others of them get. Items with a flag are written first. */
async function writeItems(ctx: Context, host: Resource, id: number, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return
  refuseSecond(items)
  await letGo(ctx, interfacesOf(host), id, items)
  const at = placeOf(host)
  const rankOf = ({ validated: { sent } }: Item) => (sent.primary === true || sent.provision === true ? 0 : 1)
  const ordered = [...items].sort((a, b) => rankOf(a) - rankOf(b))
  await PARTS.saveNested?.(ctx, at, id, ordered)
}

/** Refuses several items with a flag that only one interface may have. {@throws Failure} invalid */
function refuseSecond(items: readonly Item[]): void {
  const errors: FieldErrors = {}
  for (const flag of SINGLE) {
    const claiming = items.filter(({ remove, validated: { sent } }) => !remove && sent[flag] === true)
    if (claiming.length > 1) errors[`interfaces.${flag}`] = [OTHER_THERE[flag]]
  }
  refuseInvalid(errors)
}

/** Clears the flags that items of the request give up, if other items of it get them. */
async function letGo(ctx: Context, resource: Resource, host: number, items: readonly Item[]): Promise<void> {
  for (const flag of SINGLE) {
    if (!items.some(({ validated: { sent } }) => sent[flag] === true)) continue
    for (const { id, validated } of items)
      if (id !== null && validated.sent[flag] === false) await release(ctx, resource, host, id, flag)
  }
}

/**
 * Executes work on the primary interface as the service: it belongs to the host, which the caller may write, and its
 * links were looked up for the caller. Audits name the caller.
 */
async function executeTrusted(ctx: Context, work: (trusted: Context) => Promise<unknown>): Promise<void> {
  await work(asService(ctx))
}

/** Yields a context with the permission to create interfaces, for callers who may create the host. */
function asHostCreator(ctx: Context): Context {
  const grants = new Map(ctx.user.grants).set('edit_hosts', ctx.user.grants.get('create_hosts') ?? [])
  return { ...ctx, user: { ...ctx.user, grants } }
}

function interfacesOf({ registry }: Resource): Resource {
  return findResource(registry, 'interface')
}

function placeOf(resource: Resource): FieldPosition {
  const found = resource.byName.get('interfaces')
  if (!found) throw new Error('hosts have no field interfaces')
  return found.at
}
