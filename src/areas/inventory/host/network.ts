import { sql } from 'kysely'
import { asService, type Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure, type FieldErrors, invalid } from '../../../errors.ts'
import type { Field, Place, Resource } from '../../../kernel/definition.ts'
import { readDraft, type Validated } from '../../../kernel/input.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { createRecord } from '../../../kernel/operations/create.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import type { Draft } from '../../../kernel/record.ts'
import { findResource } from '../../../kernel/registry.ts'
import { parts } from '../../../records/parts.ts'
import { OTHER_THERE, release, SINGLE } from './exclusive.ts'
import { primaryFields } from './interface-fields.ts'
import type { Naming } from './naming.ts'

/** What a request says of the interfaces of a host: of its primary one by keys of the host, and of any one by one. */
export interface Network {
  readonly primary: Draft
  readonly items: readonly Item[]
  /** What the group of the host gives its primary interface. */
  readonly inherited: Draft
}

/** One of the `interfaces_attributes`. */
interface Item {
  readonly id: number | null
  readonly label: string | null
  readonly remove: boolean
  readonly validated: Validated
}

const PARTS = parts('interface', {
  by: 'host',
  key: 'interfaces_attributes',
  doc: 'Its interfaces. The first one that is made with the host is the primary one unless another says so.',
})

/** `interfaces_attributes`, and `ip`, `mac`, `subnet_id`, … of the primary interface. `writeNetwork` stores it. */
export function network(): Field<Network> {
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
      const primary: Draft = {}
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
 * Makes the primary interface of a new host, from its keys and the item that is meant by it, and all the others. What both
 * say counts as the host says it.
 */
export async function createNetwork(
  ctx: Context,
  host: Resource,
  id: number,
  naming: Naming,
  { primary, items, inherited }: Network,
): Promise<void> {
  refuseSecond(items)
  const chosen = chosenPrimary(items, naming.name)
  const provision = !items.some((item) => item !== chosen && item.validated.sent.provision === true)
  const flags = { name: naming.name, primary: true, provision }
  await whole(ctx, async (trusted) => {
    const resource = interfacesOf(host)
    const said: Draft = { ...primary, domain: naming.domain }
    if (!chosen) {
      await createRecord(trusted, resource, { ...inherited, ...said, ...flags, host: id })
      return
    }
    await namingPart(null, async () => {
      const draft = await readDraft(ctx, resource, chosen.validated, null, { host: id })
      await createRecord(trusted, resource, { ...inherited, ...draft, ...withValues(said), ...flags })
    })
  })
  await writeItems(
    asMaker(ctx),
    host,
    id,
    items.filter((item) => item !== chosen),
  )
}

/**
 * Changes the interfaces of a host: its name and domain, then each item, then what the host itself says of the interface
 * that is the primary one by then.
 */
export async function updateNetwork(
  ctx: Context,
  host: Resource,
  id: number,
  named: Draft,
  { primary, items, inherited }: Network,
): Promise<void> {
  const said: Draft = { ...inherited, ...primary, ...named }
  if (items.length === 0) return changePrimary(ctx, host, id, said)
  await changePrimary(ctx, host, id, { ...inherited, ...named })
  await writeItems(ctx, host, id, items)
  await changePrimary(ctx, host, id, { ...primary, ...('domain' in primary && named) })
}

/** Changes the primary interface of a host. */
async function changePrimary(ctx: Context, host: Resource, id: number, values: Draft): Promise<void> {
  if (Object.keys(values).length === 0) return
  const resource = interfacesOf(host)
  const found = await row<{ id: number }>(ctx.db, sql`select id from interfaces where host_id = ${id} and "primary"`)
  if (!found) throw new Error(`host ${id} has no primary interface`)
  const stored = await lock(ctx, resource, found.id)
  await whole(ctx, (trusted) => updateStored(trusted, resource, stored, values))
}

/** What says something. */
function withValues(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
}

/** The item that is about the interface which carries the name of a new host. */
function chosenPrimary(items: readonly Item[], name: string): Item | undefined {
  const made = items.filter((item) => item.id === null && !item.remove)
  return (
    made.find((item) => item.validated.sent.primary === true) ??
    made.find(({ label }) => label !== null && (name === label || name.startsWith(`${label}.`))) ??
    made.find(({ label, validated: { sent } }) => label === null && sent.primary !== false && sent.type !== 'bmc')
  )
}

/** What lets go of being primary or provisioning comes first, so that another one can be that. */
async function writeItems(ctx: Context, host: Resource, id: number, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return
  refuseSecond(items)
  await letGo(ctx, interfacesOf(host), id, items)
  const at = placeOf(host)
  const chosen = ({ validated: { sent } }: Item) => (sent.primary === true || sent.provision === true ? 0 : 1)
  const ordered = [...items].sort((a, b) => chosen(a) - chosen(b))
  await PARTS.saveNested?.(ctx, at, id, ordered)
}

/** {@throws Failure} invalid where several items say that they are what only one interface of a host is */
function refuseSecond(items: readonly Item[]): void {
  const errors: FieldErrors = {}
  for (const flag of SINGLE) {
    const claiming = items.filter(({ remove, validated: { sent } }) => !remove && sent[flag] === true)
    if (claiming.length > 1) errors[`interfaces.${flag}`] = [OTHER_THERE[flag]]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** What an item takes from an interface is free by then, as far as another item claims it. */
async function letGo(ctx: Context, resource: Resource, host: number, items: readonly Item[]): Promise<void> {
  for (const flag of SINGLE) {
    if (!items.some(({ validated: { sent } }) => sent[flag] === true)) continue
    for (const { id, validated } of items)
      if (id !== null && validated.sent[flag] === false) await release(ctx, resource, host, id, flag)
  }
}

/**
 * The primary interface is the host's own: whoever may write the host at all writes it, and what it may refer to was
 * looked up as the caller. Audits name the caller.
 */
async function whole(ctx: Context, work: (trusted: Context) => Promise<unknown>): Promise<void> {
  await work(asService(ctx))
}

/** Who may make the host may make its interfaces with it. */
function asMaker(ctx: Context): Context {
  const grants = new Map(ctx.user.grants).set('edit_hosts', ctx.user.grants.get('create_hosts') ?? [])
  return { ...ctx, user: { ...ctx.user, grants } }
}

/** Errors of an item are errors of the host's interfaces (core-api §2.5). */
async function namingPart(id: number | null, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error
    const errors: FieldErrors = {}
    for (const [field, messages] of Object.entries(error.details.errors ?? {})) errors[`interfaces.${field}`] = messages
    throw invalid(errors, id)
  }
}

function interfacesOf({ registry }: Resource): Resource {
  const resource = findResource(registry, 'interface')
  return resource
}

function placeOf({ placed }: Resource): Place {
  const found = placed.find(({ name }) => name === 'interfaces')
  if (!found) throw new Error('hosts have no field interfaces')
  return found.at
}
