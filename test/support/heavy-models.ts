import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/sql.ts'

/** Stores many models named `Heavy 1` and so on, with a long text each. */
export async function storeHeavyModels(database: Database, count: number): Promise<void> {
  await sql`insert into models (name, info) select 'Heavy ' || n, repeat(md5(n::text), 60) from generate_series(1, ${count}::int) n`.execute(
    database.db,
  )
}
