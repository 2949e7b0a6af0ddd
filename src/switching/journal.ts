import { type Db, row, rows } from '../database/sql.ts'
import { sql } from '../sql.ts'

/** Which record here stands for a record of the old server, and how both looked when it was taken. */
export interface Entry {
  readonly kind: string
  readonly their_id: number
  readonly our_id: number
  readonly parent_id: number | null
  readonly name: string
  readonly created: boolean
  readonly theirs: string
  readonly ours: string
  /** The ids of its links here, by their keys. */
  readonly links: Links
}

/** Ids of linked records, by the keys of the links. */
export type Links = Readonly<Record<string, readonly number[]>>

/** An entry, and whether the record here still exists. */
export interface KnownEntry extends Entry {
  readonly exists: boolean
}

/** Loads the entries of these records, which are in `table` here. */
export async function loadEntries(
  db: Db,
  server: string,
  kind: string,
  { table, ids }: { readonly table: string; readonly ids: readonly number[] },
): Promise<Map<number, KnownEntry>> {
  const found = await rows<KnownEntry>(
    db,
    sql`select kind, their_id, our_id, parent_id, name, created, theirs, ours, links,
        exists (select from ${sql.table(table)} t where t.id = r.our_id) as exists
      from imported_records r where server = ${server} and kind = ${kind} and their_id = any (${ids}::bigint[])`,
  )
  return new Map(found.map((entry) => [entry.their_id, entry]))
}

/** Loads which records here stand for which there, as far as they are here. */
export async function loadPairs(db: Db, server: string, kind: string, table: string) {
  return rows<{ their_id: number; our_id: number }>(
    db,
    sql`select their_id, our_id from imported_records r where server = ${server} and kind = ${kind}
      and exists (select from ${sql.table(table)} t where t.id = r.our_id)`,
  )
}

/**
 * Stores an entry in the transaction that writes its record. Once an import has created a record, that stays known. `isAgain`
 * places it last: the record refers to later ones now, so that an undo removes it before those.
 */
export async function storeEntry(tx: Db, server: string, entry: Entry, isAgain: boolean): Promise<void> {
  const { kind, their_id, our_id, parent_id, name, created, theirs, ours, links } = entry
  await sql`insert into imported_records as known (server, kind, their_id, our_id, parent_id, name, created, theirs, ours, links)
    values (${server}, ${kind}, ${their_id}, ${our_id}, ${parent_id}, ${name}, ${created}, ${theirs}, ${ours}, ${JSON.stringify(links)}::jsonb)
    on conflict (server, kind, their_id) do update set our_id = excluded.our_id, parent_id = excluded.parent_id,
      name = excluded.name, theirs = excluded.theirs, ours = excluded.ours, links = excluded.links,
      created = excluded.created or (known.created and known.our_id = excluded.our_id)
      ${isAgain ? sql`, position = default` : sql``}`.execute(tx)
}

/** Loads the last entries before a position, the newest first: an undo removes records before those they refer to. */
export async function loadNewest(db: Db, server: string, before: number | null, most: number) {
  return rows<Entry & { readonly position: number }>(
    db,
    sql`select kind, their_id, our_id, parent_id, name, created, theirs, ours, links, position from imported_records
      where server = ${server} and (${before}::bigint is null or position < ${before}::bigint) order by position desc limit ${most}`,
  )
}

/** Forgets an entry. */
export async function deleteEntry(
  tx: Db,
  server: string,
  { kind, their_id }: Pick<Entry, 'kind' | 'their_id'>,
): Promise<void> {
  await sql`delete from imported_records where server = ${server} and kind = ${kind} and their_id = ${their_id}`.execute(
    tx,
  )
}

/** The address under which the journal knows sample data: they come from no server. */
export const SAMPLE = 'sample'

/** The server of the last import, when none is named. */
export async function findServer(db: Db): Promise<string | null> {
  const found = await row<{ server: string }>(
    db,
    sql`select server from imported_records where server <> ${SAMPLE} order by position desc limit 1`,
  )
  return found?.server ?? null
}
