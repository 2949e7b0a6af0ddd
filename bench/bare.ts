import { createServer } from 'node:http'
import pg from 'pg'
import { parserOf } from '../src/database/values.ts'
import type { BareAnswer, BareServer } from './processes.ts'

// The baseline: what somebody writes who wants nothing but speed. node:http, the driver, one prepared statement per
// path, the rows put into the same JSON as the service's. No login, permissions, scope, search, ETag or log.

process.once('message', async ({ databaseUrl, poolSize, answers }: BareServer) => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    types: { getTypeParser: (type: number) => parserOf(type) },
  })
  const byPath = new Map(answers.map((answer, index) => [answer.path, { ...answer, name: `s${index}` }]))

  const server = createServer(async (request, response) => {
    const answer = byPath.get(request.url ?? '')
    if (!answer) return void response.writeHead(404).end()
    const { rows } = await pool.query({ name: answer.name, text: answer.text, values: [...answer.values] })
    const total = answer.count === null ? answer.total : (await pool.query(answer.count)).rows[0].count
    const text = JSON.stringify(bodyOf(answer, rows, total))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.on('disconnect', () => process.exit())

type Row = Readonly<Record<string, unknown>>

function bodyOf({ keys, envelope }: BareAnswer, rows: readonly Row[], total: number | null): unknown {
  const records = rows.map((row) => {
    const record: Record<string, unknown> = {}
    for (const { key, time } of keys) {
      const value = row[key]
      record[key] = time && typeof value === 'string' ? `${value.slice(0, 19)} UTC` : value
    }
    return record
  })
  if (!envelope) return records[0]
  return { total, subtotal: total, ...envelope, results: records }
}
