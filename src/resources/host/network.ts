import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { Failure, type FieldErrors, invalid } from '../../errors.ts'
import { type Judged, readDraft } from '../../kernel/input.ts'
import { lock } from '../../kernel/operations/change.ts'
import { createRecord } from '../../kernel/operations/create.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import type { Draft, Field, Place, Resource } from '../../kernel/resource.ts'
import { parts } from '../parts.ts'
import { primaryFields } from './interface-fields.ts'

/** What a request says of the interfaces of a host: of its primary one by keys of the host, and of any one by one. */
export interface Network {
  readonly primary: Draft
  readonly items: readonly Item[]
}

/** One of the `interfaces_attributes`. */
interface Item {
  readonly id: number | null
  readonly label: string | null
  readonly remove: boolean
  readonly judged: Judged
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
    required: false,
    secret: false,
    writable: (at) =>
      Object.assign({}, PARTS.writable(at), ...fields.map(([name, field]) => field.writable({ ...at, name }))),
    readable: () => ({}),
    search: () => [],
    read: async (ctx, at, sent, later) => {
      const primary: Draft = {}
      for (const [name, { read }] of fields) {
        const value = read ? await read(ctx, { ...at, name }, sent, later) : sent[name]
        if (value !== undefined) primary[name] = value
      }
      const items = await PARTS.read?.(ctx, at, sent)
      return items || Object.keys(primary).length > 0 ? { primary, items: items ?? [] } : undefined
    },
  }
}

/** Makes the primary interface of a new host, from its keys and the item that is meant by it, and all the others. */
export async function makeNetwork(
  ctx: Context,
  host: Resource,
  id: number,
  naming: { readonly name: string },
  { primary, items }: Network,
): Promise<void> {
  const chosen = chosenPrimary(items, naming.name)
  const provision = !items.some((item) => item !== chosen && item.judged.sent.provision === true)
  const flags = { name: naming.name, primary: true, provision }
  await whole(ctx, async (trusted) => {
    const resource = interfacesOf(host)
    if (!chosen) {
      await createRecord(trusted, resource, { ...primary, ...flags, host: id })
      return
    }
    await namingPart(null, async () => {
      const draft = await readDraft(ctx, resource, chosen.judged, null, { host: id })
      await createRecord(trusted, resource, { ...primary, ...draft, ...flags })
    })
  })
  await writeItems(
    asMaker(ctx),
    host,
    id,
    items.filter((item) => item !== chosen),
  )
}

/** Changes the interfaces of a host: what its own keys say of the primary one, then each item. */
export async function changeNetwork(ctx: Context, host: Resource, id: number, { primary, items }: Network) {
  if (Object.keys(primary).length > 0) await changePrimary(ctx, host, id, primary)
  await writeItems(ctx, host, id, items)
}

/** Changes the primary interface of a host. */
async function changePrimary(ctx: Context, host: Resource, id: number, values: Draft): Promise<void> {
  const resource = interfacesOf(host)
  const found = await row<{ id: number }>(ctx.db, sql`select id from interfaces where host_id = ${id} and "primary"`)
  if (!found) throw new Error(`host ${id} has no primary interface`)
  const stored = await lock(ctx, resource, found.id)
  await whole(ctx, (trusted) => updateStored(trusted, resource, stored, values))
}

/** The item that is about the interface which carries the name of a new host. */
function chosenPrimary(items: readonly Item[], name: string): Item | undefined {
  const made = items.filter((item) => item.id === null && !item.remove)
  return (
    made.find((item) => item.judged.sent.primary === true) ??
    made.find(({ label }) => label !== null && (name === label || name.startsWith(`${label}.`))) ??
    made.find(({ label, judged: { sent } }) => label === null && sent.primary !== false && sent.type !== 'bmc')
  )
}

/** What becomes primary or provisioning comes first: the others could not let go of that before. */
async function writeItems(ctx: Context, host: Resource, id: number, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return
  const at = placeOf(host)
  const chosen = ({ judged: { sent } }: Item) => (sent.primary === true || sent.provision === true ? 0 : 1)
  const ordered = [...items].sort((a, b) => chosen(a) - chosen(b))
  await PARTS.settle?.(ctx, at, id, ordered)
}

/**
 * The primary interface is the host's own: whoever may write the host at all writes it, and what it may refer to was
 * looked up as the caller. Audits name the caller.
 */
async function whole(ctx: Context, work: (trusted: Context) => Promise<unknown>): Promise<void> {
  await work({ ...ctx, user: { ...ctx.user, admin: true } })
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
  const resource = registry.get('interface')
  if (!resource) throw new Error('there is no resource named interface')
  return resource
}

function placeOf({ placed }: Resource): Place {
  const found = placed.find(({ name }) => name === 'interfaces')
  if (!found) throw new Error('hosts have no field interfaces')
  return found.at
}
