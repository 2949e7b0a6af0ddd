import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { membersOf } from '../../../lib/values.ts'
import { nestedList } from '../../../records/nested.ts'
import { toBoolean } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'
import { sql } from '../../../sql.ts'

/**
 * A value of a key or host for a property of some content, in place of the default (spec 4.6, content-api §1.4, §4.1).
 */
export interface Override {
  readonly content_label: string
  readonly name: string
  readonly value: string
}

/** A change of an override; null removes it. */
export interface OverrideChange {
  readonly content_label: string
  readonly name: string
  readonly value: string | null
}

/** The schema of the list of overrides in requests. */
export const overridesBody = z
  .array(
    z.object({
      content_label: z.string().meta({ description: 'Label of the content.' }),
      name: z.string().optional().meta({ description: 'The property; `enabled` when left out.' }),
      value: z.unknown().meta({ description: 'Its value; for `enabled` true, false or `default`.' }),
      remove: z.boolean().optional().meta({ description: 'True takes the override away.' }),
    }),
  )
  .meta({ description: 'Overrides to set or to take away. A later one for the same property counts.' })

/**
 * Reads sent items as changes; all are validated before anything is written. {@throws Failure} bad_parameter with the
 * message of the first invalid item, or naming all unknown labels
 */
export async function readOverrideChanges(
  ctx: Context,
  organization: number,
  sent: unknown,
): Promise<OverrideChange[]> {
  if (!Array.isArray(sent)) throw createRefusal('content_overrides must be a list of objects with a content_label')
  const changes = sent.map(readItem)
  await requireLabels(
    ctx,
    organization,
    changes.map(({ content_label }) => content_label),
  )
  return changes
}

/** The overrides after these changes, sorted by label and name. */
export function withChanges(overrides: readonly Override[], changes: readonly OverrideChange[]): Override[] {
  const byPlace = new Map(overrides.map((override) => [placeOf(override), override]))
  for (const { value, ...place } of changes) {
    if (value === null) byPlace.delete(placeOf(place))
    else byPlace.set(placeOf(place), { ...place, value })
  }
  return [...byPlace.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, override]) => override)
}

/** A key that lists the overrides of a record from the rows of a table. */
export function overrideList(table: string, own: string, description: string): ReadableKey {
  return nestedList(description, (_own, alias) => ({
    keys: {
      content_label: [z.string().meta({ description: 'Label of the content.' }), sql`c.label`],
      name: [z.string().meta({ description: 'The property.' }), sql`o.name`],
      value: [z.string().meta({ description: 'Its value; `1` or `0` for `enabled`.' }), sql`o.value`],
    },
    from: sql`${sql.table(table)} o join contents c on c.id = o.content_id where ${sql.ref(`o.${own}`)} = ${sql.ref(`${alias}.id`)}`,
    order: sql`c.label, o.name`,
  }))
}

/** Replaces the overrides of a record by these, writing only differences. */
export async function storeOverrides(
  ctx: Context,
  table: string,
  own: string,
  id: number,
  organization: Sql,
  overrides: readonly Override[],
): Promise<void> {
  const wanted = sql`wanted as (
    select c.id as content_id, w.name, w.value
    from jsonb_to_recordset(${JSON.stringify(overrides)}::jsonb) as w (content_label text, name text, value text)
    join contents c on c.label = w.content_label and c.organization_id = ${organization})`
  const place = sql.ref(own)
  await sql`with ${wanted} delete from ${sql.table(table)} o where ${sql.ref(`o.${own}`)} = ${id}
    and not exists (select from wanted w where w.content_id = o.content_id and w.name = o.name)`.execute(ctx.db)
  if (overrides.length === 0) return
  await sql`with ${wanted} insert into ${sql.table(table)} as o (${place}, content_id, name, value)
    select ${id}::bigint, content_id, name, value from wanted
    on conflict (${place}, content_id, name) do update set value = excluded.value where o.value <> excluded.value`.execute(
    ctx.db,
  )
}

const ENABLED = 'enabled'
const LONGEST = 255
const LONGEST_VALUE = 2048

function readItem(item: unknown): OverrideChange {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw createRefusal('content_overrides must be a list of objects with a content_label')
  const { content_label, name: sentName, value, remove } = membersOf(item)
  const name = textOf(sentName) || ENABLED
  const removes = toBoolean(remove) === true
  const read = removes ? null : name === ENABLED ? readEnabled(value) : textOf(value)
  const label = textOf(content_label)
  if (label === null || isBlank(label)) throw createRefusal('Invalid content label: ')
  if (label.length > LONGEST || name.length > LONGEST || !isValidText(name))
    throw createRefusal(`Labels and names of overrides are text of at most ${LONGEST} characters`)
  if (!removes && /^(?:name|label)$/i.test(name))
    throw createRefusal(`The following content properties cannot be overridden: ${name}`)
  if (read !== null && (read === '' || read.length > LONGEST_VALUE || !isValidText(read)))
    throw createRefusal(`The following override values are invalid: ${read.slice(0, 100)}`)
  return { content_label: label, name, value: read }
}

/** Reads `1` or `0`; null for the default. */
function readEnabled(value: unknown): string | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === 'default') return null
  const read = word === 'y' ? true : word === 'n' ? false : toBoolean(word)
  if (typeof read !== 'boolean') throw createRefusal("Value must either be a boolean or 'default' for 'enabled'")
  return read ? '1' : '0'
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : null
}

/**
 * Requires labels of contents of the organization. {@throws Failure} bad_parameter, naming unknown ones as they were
 * sent (spec 7)
 */
async function requireLabels(ctx: Context, organization: number, labels: readonly string[]): Promise<void> {
  const wanted = [...new Set(labels)]
  if (wanted.length === 0) return
  const storable = wanted.filter(isValidText)
  const found = await rows<{ label: string }>(
    ctx.db,
    sql`select label from contents where organization_id = ${organization} and label = any (${storable}::text[])`,
  )
  const known = new Set(found.map(({ label }) => label))
  const missing = wanted.filter((label) => !known.has(label))
  if (missing.length === 0) return
  const named = await row<{ title: string }>(ctx.db, sql`select title from organizations where id = ${organization}`)
  throw createRefusal(
    `Content label(s) "${missing.slice(0, 100).join(', ')}" were not found in the Organization "${named?.title}"`,
  )
}

function placeOf({ content_label, name }: Pick<Override, 'content_label' | 'name'>): string {
  return `${content_label}\0${name}`
}

function createRefusal(message: string): Failure {
  return new Failure('bad_parameter', message)
}
