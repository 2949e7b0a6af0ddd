import { type Db, row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

/** Stores records that no request creates: a class with a parameter, as an import of classes does, and the import itself. */
export async function storeImported(db: Db, proxy: number): Promise<void> {
  await sql`insert into class_imports (smart_proxy_id, source, requested_by, status, environments, environments_done, finished_at)
    values (${proxy}, '/srv/classes', 'admin', 'finished', 1, 1, now())`.execute(db)
  const environment = await row<{ id: number }>(
    db,
    sql`insert into environments (name) values ('example') returning id`,
  )
  const configclass = await row<{ id: number }>(
    db,
    sql`insert into configclasses (name) values ('example') returning id`,
  )
  const parameter = await row<{ id: number }>(
    db,
    sql`insert into smart_class_parameters (configclass_id, parameter) values (${configclass?.id}, 'example') returning id`,
  )
  await sql`insert into configclass_environments (configclass_id, environment_id)
    values (${configclass?.id}, ${environment?.id})`.execute(db)
  await sql`insert into class_parameter_environments (smart_class_parameter_id, environment_id)
    values (${parameter?.id}, ${environment?.id})`.execute(db)
}
