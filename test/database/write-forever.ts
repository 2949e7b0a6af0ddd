import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { quiet, testConfig } from '../support/settings.ts'

// A process that commits rows into the database in the directory it is told, from where the last one was killed, and prints the number
// of each, until it is killed.
process.stdout.on('error', () => undefined) // its reader has seen enough
const { db } = await connect(testConfig({ dataDir: process.argv[2] ?? '' }), quiet)
await sql`create table if not exists written (number int primary key)`.execute(db)
const found = await row<{ last: number }>(db, sql`select coalesce(max(number), 0) as last from written`)
for (let number = (found?.last ?? 0) + 1; ; number++) {
  await sql`insert into written values (${number})`.execute(db)
  console.log(number)
}
