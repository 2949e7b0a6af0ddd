import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

/** What is linked and named. */
interface Answers {
  readonly name: string
  readonly source: string
  readonly usergroup: number
  readonly smartProxy: number
}

/** Rows that are there once others have answered: a group of a directory, and what a smart proxy said when it was asked for classes. */
export async function storeAnswers({ db }: Database, { name, source, usergroup, smartProxy }: Answers): Promise<void> {
  const directory = sql`(select max(id) from auth_sources)`
  await sql`insert into external_usergroups (name, auth_source_id, usergroup_id)
    values (${name}, ${directory}, ${usergroup})`.execute(db)
  await sql`insert into class_imports (smart_proxy_id, source, user_id, requested_by, status, message, finished_at)
    values (${smartProxy}, ${source}, 1, ${name}, 'failed', ${name}, now())`.execute(db)
}
