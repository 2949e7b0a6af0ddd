import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { isValidText } from '../../lib/lossless-json.ts'
import { isMembers, membersOf } from '../../lib/values.ts'
import { sql } from '../../sql.ts'

/** A client's value of a property of content; null removes it. */
export interface RequestedOverride {
  readonly label: string
  readonly name: string
  readonly value: string | null
}

/** An override of a host as clients expect it. */
export interface StoredOverride {
  readonly contentLabel: string
  readonly name: string
  readonly value: string
}

/** Loads all overrides of a host, also those for content that this service does not know. */
export async function loadOverrides(ctx: Context, host: number): Promise<StoredOverride[]> {
  return rows<StoredOverride>(
    ctx.db,
    sql`
      select c.label as "contentLabel", o.name, o.value from host_content_overrides o join contents c on c.id = o.content_id
      where o.host_id = ${host}
      union all
      select r.label, r.name, r.value from registration_overrides r where r.host_id = ${host} and not exists (
        select from host_content_overrides o join contents c on c.id = o.content_id
        where o.host_id = r.host_id and c.label = r.label and o.name = r.name)
      order by 1, 2`,
  )
}

const NEVER = ['name', 'label']

/** Reads a list of overrides to be set (content-api §4.1). {@throws Failure} malformed, naming what is wrong */
export function readRequestedOverrides(list: readonly unknown[]): RequestedOverride[] {
  const asked = list.map(readOne)
  const never = asked.filter(({ name }) => NEVER.includes(name.toLowerCase())).map(({ name }) => name)
  if (never.length > 0)
    throw createRefusal(`The following content properties cannot be overridden: ${[...new Set(never)].join(', ')}`)
  const bad = asked.filter(({ value }) => value !== null && !isText(value, 2048)).map(({ name }) => name)
  if (bad.length > 0) throw createRefusal(`The following override values are invalid: ${[...new Set(bad)].join(', ')}`)
  return asked
}

function readOne(item: unknown): RequestedOverride {
  const { contentLabel = null, name = 'enabled', value = null } = membersOf(item)
  if (!isText(contentLabel, 512))
    throw createRefusal(`Invalid content label: ${isText(contentLabel, 2000) ? contentLabel : ''}`)
  if (!isText(name, 255)) throw createRefusal('name must be a text of 1 to 255 characters')
  const scalar = typeof value === 'boolean' ? String(Number(value)) : typeof value === 'number' ? String(value) : value
  return { label: contentLabel, name, value: scalar as string | null } // what it is, the caller checks
}

/** The most overrides of a host for content that this service does not know. */
const MOST_UNKNOWN = 1000

/**
 * Sets overrides of a host; those without a value are removed. Labels that are no content of the organization are kept
 * for the client, whose repository file may have other repositories. {@throws Failure} malformed for too many of them
 */
export async function setOverrides(
  tx: Context,
  host: number,
  organization: { readonly id: number },
  asked: readonly RequestedOverride[],
): Promise<void> {
  const last = [...new Map(asked.map((one) => [`${one.label} ${one.name}`, one])).values()]
  const wanted = sql`(
    select w.label, w.name, w.value, c.id as content from unnest(${last.map(({ label }) => label)}::text[],
      ${last.map(({ name }) => name)}::text[], ${last.map(({ value }) => value)}::text[]) w (label, name, value)
    left join contents c on c.organization_id = ${organization.id} and c.label = w.label) w`
  await sql`
    delete from host_content_overrides o using ${wanted}
    where w.value is null and o.host_id = ${host} and o.content_id = w.content and o.name = w.name`.execute(tx.db)
  await sql`
    delete from registration_overrides o using ${wanted}
    where (w.value is null or w.content is not null) and o.host_id = ${host} and o.label = w.label and o.name = w.name`.execute(
    tx.db,
  )
  await sql`
    insert into host_content_overrides (host_id, content_id, name, value)
    select ${host}::bigint, w.content, w.name, w.value from ${wanted} where w.content is not null and w.value is not null
    on conflict (host_id, content_id, name) do update set value = excluded.value`.execute(tx.db)
  await sql`
    insert into registration_overrides (host_id, label, name, value)
    select ${host}::bigint, w.label, w.name, w.value from ${wanted} where w.content is null and w.value is not null
    on conflict (host_id, label, name) do update set value = excluded.value`.execute(tx.db)
  const kept = await row<{ count: number }>(
    tx.db,
    sql`select count(*)::integer as count from registration_overrides where host_id = ${host}`,
  )
  if (kept && kept.count > MOST_UNKNOWN)
    throw createRefusal(`A host has at most ${MOST_UNKNOWN} overrides of contents that are not of its organization`)
}

/**
 * Removes the overrides that a list names: by label and name, all of a label, or all of the host for an empty list and for
 * an item without a label.
 * {@throws Failure} malformed for labels and names of a wrong form
 */
export async function removeOverrides(tx: Context, host: number, list: readonly unknown[]): Promise<void> {
  const named = list.filter(isMembers).map(({ contentLabel = null, name = null }) => ({ contentLabel, name }))
  for (const { contentLabel, name } of named) {
    if (contentLabel !== null && !isText(contentLabel, 512)) throw createRefusal('contentLabel must be a text or null')
    if (name !== null && !isText(name, 255)) throw createRefusal('name must be a text of 1 to 255 characters, or null')
  }
  const isAll = named.length === 0 || named.some(({ contentLabel }) => contentLabel === null)
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(named)}::jsonb) w ("contentLabel" text, name text)`
  await sql`
    delete from host_content_overrides o where o.host_id = ${host} and (${isAll} or exists (
      select from ${wanted} join contents c on c.label = w."contentLabel"
      where c.id = o.content_id and coalesce(w.name, o.name) = o.name))`.execute(tx.db)
  await sql`
    delete from registration_overrides o where o.host_id = ${host} and (${isAll} or exists (
      select from ${wanted} where w."contentLabel" = o.label and coalesce(w.name, o.name) = o.name))`.execute(tx.db)
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && [...value].length <= longest && isValidText(value)
}

function createRefusal(message: string): Failure {
  return new Failure('malformed', message)
}
