import { type Db, rows } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import type { OutputChange, OutputPiece } from './output.ts'

/** Stores a change of a run's output; pieces replace those with equal numbers. */
export async function storeOutput(db: Db, runId: number, change: OutputChange | null): Promise<void> {
  if (change === null) return
  const { pieces, gone } = change
  const deleted = gone
    ? sql`, deleted as (delete from config_run_output
        where config_run_id = ${runId} and number between ${gone.from} and ${gone.to})`
    : sql``
  await rows(
    db,
    sql`
      with piece as (
        select * from jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) as piece (number integer, stream text, text text)
      )${deleted}
      insert into config_run_output (config_run_id, number, stream, text)
      select ${runId}, number, stream, text from piece
      on conflict (config_run_id, number) do update set text = excluded.text, stream = excluded.stream`,
  )
}

/** A stored piece and when it was stored. */
export interface StoredPiece extends OutputPiece {
  readonly created_at: string
}

/** Loads at most `limit` pieces after a number, in order. */
export function loadOutput(db: Db, runId: number, after: number, limit: number): Promise<StoredPiece[]> {
  return rows(
    db,
    sql`
      select number, stream, text, created_at from config_run_output
      where config_run_id = ${runId} and number > ${after} order by number limit ${limit}`,
  )
}

/** Loads the number of the last stored piece; 0 without one. */
export async function loadLastNumber(db: Db, runId: number): Promise<number> {
  const [found] = await rows<{ last: number | null }>(
    db,
    sql`select max(number) as last from config_run_output where config_run_id = ${runId}`,
  )
  return found?.last ?? 0
}

/** Loads the stored output of a run as one text. */
export async function loadOutputText(db: Db, runId: number): Promise<string> {
  const [found] = await rows<{ text: string | null }>(
    db,
    sql`select string_agg(text, '' order by number) as text from config_run_output where config_run_id = ${runId}`,
  )
  return found?.text ?? ''
}
