import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { isStorable } from '../database/storable.ts'
import { Failure } from '../errors.ts'

/** What a client says of one property of one content; null removes. */
export interface AskedOverride {
  readonly label: string
  readonly name: string
  readonly value: string | null
}

/** An override of a host as clients see it. */
export interface StoredOverride {
  readonly contentLabel: string
  readonly name: string
  readonly value: string
}

/** Everything that a host sees otherwise than its products say. */
export async function overridesOf(ctx: Context, host: number): Promise<StoredOverride[]> {
  return rows<StoredOverride>(
    ctx.db,
    sql`select c.label as "contentLabel", o.name, o.value from host_content_overrides o join contents c on c.id = o.content_id
      where o.host_id = ${host} order by c.label, o.name`,
  )
}

const NEVER = ['name', 'label']

/** Reads a list of overrides to be set (content-api §4.1). {@throws Failure} malformed naming what cannot be */
export function readOverrides(list: readonly unknown[]): AskedOverride[] {
  const asked = list.map(readOne)
  const never = asked.filter(({ name }) => NEVER.includes(name.toLowerCase())).map(({ name }) => name)
  if (never.length > 0)
    throw refused(`The following content properties cannot be overridden: ${[...new Set(never)].join(', ')}`)
  const bad = asked.filter(({ value }) => value !== null && !isText(value, 2048)).map(({ name }) => name)
  if (bad.length > 0) throw refused(`The following override values are invalid: ${[...new Set(bad)].join(', ')}`)
  return asked
}

function readOne(item: unknown): AskedOverride {
  const {
    contentLabel = null,
    name = 'enabled',
    value = null,
  } = (isObject(item) ? item : {}) as Record<string, unknown>
  if (!isText(contentLabel, 512))
    throw refused(`Invalid content label: ${isText(contentLabel, 2000) ? contentLabel : ''}`)
  if (!isText(name, 255)) throw refused('name must be a text of 1 to 255 characters')
  const scalar = typeof value === 'boolean' ? String(Number(value)) : typeof value === 'number' ? String(value) : value
  return { label: contentLabel, name, value: scalar as string | null } // judged by `readOverrides`
}

/** Sets overrides of a host, or removes those without a value. {@throws Failure} malformed naming unknown labels */
export async function setOverrides(
  tx: Context,
  host: number,
  organization: { readonly id: number; readonly name: string },
  asked: readonly AskedOverride[],
): Promise<void> {
  const labels = [...new Set(asked.map(({ label }) => label))]
  const known = await rows<{ id: number; label: string }>(
    tx.db,
    sql`select id, label from contents where organization_id = ${organization.id} and label = any (${labels}::text[])`,
  )
  const ids = new Map(known.map(({ id, label }) => [label, id]))
  const unknown = labels.filter((label) => !ids.has(label))
  if (unknown.length > 0)
    throw refused(`Content label(s) "${unknown.join(', ')}" were not found in the Organization "${organization.name}"`)
  const last = [...new Map(asked.map((one) => [`${one.label} ${one.name}`, one])).values()]
  const listed = (wanted: readonly AskedOverride[]) =>
    sql`unnest(${wanted.map(({ label }) => ids.get(label) ?? 0)}::bigint[], ${wanted.map(({ name }) => name)}::text[],
      ${wanted.map(({ value }) => value)}::text[]) w (content_id, name, value)`
  const [set, removed] = [last.filter(({ value }) => value !== null), last.filter(({ value }) => value === null)]
  if (set.length > 0)
    await sql`
      insert into host_content_overrides (host_id, content_id, name, value)
      select ${host}::bigint, w.content_id, w.name, w.value from ${listed(set)}
      on conflict (host_id, content_id, name) do update set value = excluded.value`.execute(tx.db)
  if (removed.length > 0)
    await sql`delete from host_content_overrides o using ${listed(removed)}
      where o.host_id = ${host} and o.content_id = w.content_id and o.name = w.name`.execute(tx.db)
}

/**
 * Removes those that a list names: by label and name, all of a label, or all of the host when it names none.
 * {@throws Failure} malformed for labels and names that are none
 */
export async function removeOverrides(tx: Context, host: number, list: readonly unknown[]): Promise<void> {
  const named = list.filter(isObject).map(({ contentLabel = null, name = null }) => ({ contentLabel, name }))
  for (const { contentLabel, name } of named) {
    if (contentLabel !== null && !isText(contentLabel, 512)) throw refused('contentLabel must be a text or null')
    if (name !== null && !isText(name, 255)) throw refused('name must be a text of 1 to 255 characters, or null')
  }
  const isAll = named.length === 0 || named.some(({ contentLabel }) => contentLabel === null)
  await sql`
    delete from host_content_overrides o where o.host_id = ${host} and (${isAll} or exists (
      select from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) w ("contentLabel" text, name text)
      join contents c on c.label = w."contentLabel"
      where c.id = o.content_id and coalesce(w.name, o.name) = o.name))`.execute(tx.db)
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && [...value].length <= longest && isStorable(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(message: string): Failure {
  return new Failure('malformed', message)
}
