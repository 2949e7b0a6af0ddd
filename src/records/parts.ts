import { z } from 'zod'
import type { Context } from '../context.ts'
import { row, rows } from '../database/sql.ts'
import { Failure, type FieldErrors, invalid, notFound } from '../errors.ts'
import {
  createRecord,
  type Draft,
  type Field,
  joinConditions,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readDraft,
  removeStored,
  type Unstored,
  updateStored,
  type Validated,
  validate,
} from '../kernel/index.ts'
import { toBoolean } from '../requests/sent.ts'
import { sql } from '../sql.ts'

/** How the parts of a record are linked to it and sent. */
export interface PartsOptions {
  readonly doc: string
  /** The link of the parts to their owner. */
  readonly by: string
  /** The key that requests send the list under, e.g. `interfaces_attributes`. */
  readonly key: string
  /**
   * A sent list is complete: parts that it leaves out are removed. `repeated` is the message for a list that names one
   * twice.
   */
  readonly replaces?: { readonly repeated: string }
  /** Links that are all there is of a part: an item that says the same ones as a part, without an id, is about that. */
  readonly knownBy?: readonly string[]
}

/** One item of a sent list: its place there, the part that it names, if any, and its validated keys. */
export interface Item {
  readonly place: number
  readonly id: number | null
  readonly label: string | null
  readonly remove: boolean
  readonly validated: Validated
}

const NOT_ITEMS = 'must be a list of objects'
const ITEM = z.looseObject({
  id: z
    .int()
    .positive()
    .nullish()
    .meta({ description: 'The part to change; without it, or a known name, one is made.' }),
  _destroy: z
    .preprocess(toBoolean, z.boolean().nullish())
    .meta({ description: 'True removes this part from the record.' }),
})

/**
 * A field for records of another resource that are written together with their owner. An item with the id or name of a
 * part changes it; other items create one; `_destroy` removes it. Parts that the list leaves out stay, unless it
 * `replaces` them. Parts have their own rules and audits.
 */
export function parts(
  target: string,
  { doc, by, key, replaces, knownBy = [] }: PartsOptions,
): Field<readonly Item[]> & Unstored {
  const word = wordOf(key)
  return {
    kind: 'parts',
    doc,
    writable: (at) => ({
      [key]: {
        schema: () => z.array(ITEM, { error: NOT_ITEMS }).max(1000).nullable().meta({ description: doc }),
        coerce: toItems,
        exact: true,
        prepare: async (ctx, items) =>
          items &&
          Promise.all(
            (items as z.infer<typeof ITEM>[]).map((item, place) => read(ctx, at.target(target), item, place)),
          ),
      },
    }),
    readable: () => ({}),
    search: () => [],
    read: async (_ctx, _at, sent) => {
      const items = sent[key] as readonly Item[] | null | undefined // the key's `prepare` made these items
      return replaces && items === null ? [] : (items ?? undefined)
    },
    saveNested: async (ctx, at, owner, items, isNew = false) => {
      const resource = at.target(target)
      const written = isNew ? null : owner
      if (replaces) {
        if (isRepeating(items)) throw invalid({ [word]: [replaces.repeated] }, written)
        if (!isNew) await removeOthers(ctx, resource, by, owner, items)
      }
      const made = new Set<string | null>()
      for (const item of items) {
        // A new owner has only the parts that this list has made.
        const isFirst = isNew && item.id === null && !made.has(item.label)
        await withPartName({ key, place: item.place }, written, () =>
          apply(ctx, resource, { by, knownBy }, owner, item, isFirst),
        )
        made.add(item.label)
      }
    },
  }
}

/** The items of a sent list. Forms send it as an object with numbers as keys, or not at all. */
function toItems(sent: unknown): unknown {
  if (sent === '') return null
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? Object.values(sent) : sent
}

async function read(ctx: Context, resource: Resource, item: z.infer<typeof ITEM>, place: number): Promise<Item> {
  const label = resource.label === undefined ? undefined : item[resource.label]
  return {
    place,
    id: item.id ?? null,
    label: typeof label === 'string' ? label.trim() : null,
    remove: item._destroy ?? false,
    validated: await validate(ctx, resource, item),
  }
}

function isRepeating(items: readonly Item[]): boolean {
  const labels = items.flatMap(({ label, remove }) => (label === null || label === '' || remove ? [] : [label]))
  return new Set(labels).size < labels.length
}

/** Removes the parts that a list leaves out, as far as the caller sees them (docs/decisions/0014). */
async function removeOthers(
  ctx: Context,
  resource: Resource,
  by: string,
  owner: number,
  items: readonly Item[],
): Promise<void> {
  const ids = items.flatMap(({ id }) => id ?? [])
  const labels = items.flatMap(({ label }) => label ?? [])
  const [seen, removable] = (['view', 'destroy'] as const).map((verb) =>
    joinConditions(limitToVisible(ctx, resource, permissionOf(resource, verb))),
  )
  const others = await rows<{ id: number; removable: boolean }>(
    ctx.db,
    sql`select t.id, ${removable} as removable from ${sql.table(resource.table)} t
      where ${sql.ref(`t.${by}_id`)} = ${owner} and t.id <> all (${ids}::bigint[])
        and ${sql.ref(`t.${resource.label ?? 'id'}`)} <> all (${labels}::text[]) and ${seen}
      order by t.id`,
  )
  if (others.some((other) => !other.removable))
    throw invalid(
      { base: [`You don't have permission ${permissionOf(resource, 'destroy')} for what the list leaves out`] },
      owner,
    )
  for (const { id } of others) await removeStored(ctx, resource, await lock(ctx, resource, id))
}

async function apply(
  ctx: Context,
  resource: Resource,
  { by, knownBy }: Required<Pick<PartsOptions, 'by' | 'knownBy'>>,
  owner: number,
  item: Item,
  isFirst: boolean,
): Promise<void> {
  const id = isFirst ? null : await find(ctx, resource, by, owner, item)
  if (id === null) {
    if (item.remove) return
    const draft = await readDraft(ctx, resource, item.validated, null, { [by]: owner })
    if (await isKnown(ctx, resource, [by, ...knownBy], draft)) return
    await createRecord(ctx, resource, draft)
    return
  }
  // The item only names a part, which stays as it is.
  const { sent, errors } = item.validated
  if (!item.remove && Object.keys(sent).length + Object.keys(errors).length === 0) return
  const stored = await lock(ctx, resource, id)
  if (item.remove) return removeStored(ctx, resource, stored)
  await updateStored(ctx, resource, stored, await readDraft(ctx, resource, item.validated, stored))
}

/** Tells whether there is a part with these links already. */
async function isKnown(ctx: Context, { table }: Resource, links: readonly string[], draft: Draft): Promise<boolean> {
  if (links.length === 1) return false
  const same = links.map((link) => sql`${sql.ref(`${link}_id`)} is not distinct from ${draft[link] ?? null}::bigint`)
  return (await row(ctx.db, sql`select from ${sql.table(table)} where ${sql.join(same, sql` and `)}`)) !== undefined
}

async function find(ctx: Context, resource: Resource, by: string, owner: number, item: Item): Promise<number | null> {
  if (item.id === null && item.label === null) return null
  const named = item.id !== null ? sql`id = ${item.id}` : sql`${sql.ref(resource.label ?? 'id')} = ${item.label}`
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select id from ${sql.table(resource.table)} where ${named} and ${sql.ref(`${by}_id`)} = ${owner} order by id limit 1`,
  )
  if (!found && item.id !== null) throw notFound(resource.name, item.id)
  return found?.id ?? null
}

/** Turns errors of a part into errors of its owner, e.g. on `interfaces.mac`, which say where in the list it is. */
export async function withPartName(
  { key, place }: { readonly key: string; readonly place: number },
  owner: number | null,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error
    const word = wordOf(key)
    const errors: FieldErrors = {}
    for (const [field, messages] of Object.entries(error.details.errors ?? {})) errors[`${word}.${field}`] = messages
    const refusal = invalid(errors, owner)
    throw new Failure(refusal.code, refusal.message, { ...refusal.details, item: { [key]: place } })
  }
}

/** Yields how messages name a list. */
function wordOf(key: string): string {
  return key.replace(/_attributes$/, '')
}
