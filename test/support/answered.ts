import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/sql.ts'

/** The linked and named records. */
interface Answers {
  readonly name: string
  readonly source: string
  readonly usergroup: number
  readonly smartProxy: number
}

/**
 * Inserts rows that requests to other machines would yield: a group of a directory, and the class import of a smart proxy.
 */
export async function storeAnswers({ db }: Database, { name, source, usergroup, smartProxy }: Answers): Promise<void> {
  const directory = sql`(select max(id) from auth_sources)`
  await sql`insert into external_usergroups (name, auth_source_id, usergroup_id)
    values (${name}, ${directory}, ${usergroup})`.execute(db)
  await sql`insert into class_imports (smart_proxy_id, source, user_id, requested_by, status, message, finished_at)
    values (${smartProxy}, ${source}, 1, ${name}, 'failed', ${name}, now())`.execute(db)
}
