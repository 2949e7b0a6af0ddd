import { lockName } from '../../../database/savepoints.ts'
import { type Db, row } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

// Users and user groups own hosts alike and are told apart by name, but are in two tables, across which there is no index.

/** Keeps a login from becoming the name of a user group until the transaction ends; false if it is one. */
export function guardLogin(tx: Db, login: unknown): Promise<boolean> {
  return guardName(tx, 'usergroups', 'name', login)
}

/** Keeps the name of a user group from becoming a login until the transaction ends; false if it is one. */
export function guardGroupName(tx: Db, name: unknown): Promise<boolean> {
  return guardName(tx, 'users', 'login', name)
}

async function guardName(tx: Db, table: string, column: string, name: unknown): Promise<boolean> {
  await lockName(tx, 'names of users and user groups')
  const other = await row(tx, sql`select from ${sql.table(table)} where fold(${sql.ref(column)}) = fold(${name}::text)`)
  return other === undefined
}
