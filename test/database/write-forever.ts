import { sql } from 'kysely'
import { connect } from '../../src/database/connect.ts'
import { quiet, testConfig } from '../support/settings.ts'

// A process that commits rows into the embedded database it is told, and prints the number of each, until it is killed.
const { db } = await connect(testConfig({ dataDir: process.argv[2] ?? '' }), quiet)
await sql`create table written (number int primary key)`.execute(db)
for (let number = 1; ; number++) {
  await sql`insert into written values (${number})`.execute(db)
  console.log(number)
}
