import { createServer } from 'node:http'
import pg from 'pg'
import { parserOf } from '../src/database/value-types.ts'
import type { BareAnswer, BareDatabase, BareServer, BareStatement } from './processes.ts'

// The baseline: a server written for speed only. node:http, the driver, prepared statements, rows put into JSON like that of
// the service; no login, permissions, scope, search, ETag or log.

process.once('message', async ({ database, answers }: BareServer) => {
  const send = openSender(database)
  const byPath = new Map(answers.map((answer) => [answer.path, answer]))

  const server = createServer(async (request, response) => {
    const answer = byPath.get(request.url ?? '')
    if (!answer) return void response.writeHead(404).end()
    const [rows, counted] = await Promise.all([readRows(answer, send), answer.count && send(answer.count)])
    const counts = counted?.rows[0]
    const count = counts ? Number(counts.count) : answer.total
    const subtotal = counts ? Number(counts.subtotal ?? count) : answer.subtotal
    const text = JSON.stringify(bodyOf(answer, rows, count, subtotal))
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
type Send = (statement: BareStatement) => Promise<{ rows: Row[] }>

/** Opens the driver of the server. */
function openSender(database: BareDatabase): Send {
  const pool = new pg.Pool({
    connectionString: database.url,
    max: database.poolSize,
    types: { getTypeParser: (type: number) => parserOf(type) },
  })
  const names = new Map<string, string>()
  return ({ text, values }) => {
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    return pool.query({ name, text, values: [...values] })
  }
}

async function readRows({ statements }: BareAnswer, send: Send): Promise<Row[]> {
  const longest = Math.max(...statements.map(({ text }) => text.length))
  let found: Row[] = []
  for (const statement of statements) {
    const { rows } = await send(statement)
    if (statement.text.length === longest) found = rows
  }
  return found
}

function bodyOf(
  { keys, envelope }: BareAnswer,
  rows: readonly Row[],
  total: number | null,
  subtotal: number | null,
): unknown {
  const records = rows.map((row) => {
    const record: Record<string, unknown> = {}
    for (const { key, time } of keys) {
      const value = row[key]
      record[key] = time && typeof value === 'string' ? `${value.slice(0, 19)} UTC` : value
    }
    return record
  })
  if (!envelope) return records[0]
  return { total, subtotal, ...envelope, results: records }
}
