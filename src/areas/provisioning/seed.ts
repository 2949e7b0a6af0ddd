import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Creates what a new installation starts with (core-api §11): the usual architectures. */
export async function seedProvisioning(db: Db): Promise<void> {
  await sql`insert into architectures (name) values ('x86_64'), ('i386') on conflict do nothing`.execute(db)
}
