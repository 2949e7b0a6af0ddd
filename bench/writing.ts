import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { parserOf } from '../src/database/value-types.ts'
import { READ_HOST } from './expert.ts'

// What an expert would write for single writes of hosts: node:http, one transaction of prepared statements that stores the
// host, its interface and an audit with its places, and the answer read back in the keys of a list. No login, permissions,
// rules, scope, ETag, log or metrics.

process.once('message', (databaseUrl: string) => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: { getTypeParser: (type: number) => parserOf(type) },
  })
  const server = createServer(async (request, response) => {
    const answer = JSON.stringify(await handle(pool, request))
    response.writeHead(request.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer),
    })
    response.end(answer)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.on('disconnect', () => process.exit())

interface Host {
  readonly id: number
  readonly name: string
  readonly comment: string | null
}

async function handle(pool: pg.Pool, request: IncomingMessage): Promise<unknown> {
  const sent = request.method === 'DELETE' ? {} : JSON.parse(await text(request)).host
  const id = request.url?.split('/').at(-1) ?? ''
  const client = await pool.connect()
  try {
    await client.query('begin')
    const answer = await write(client, request.method ?? '', id, sent)
    await client.query('commit')
    return answer
  } finally {
    client.release()
  }
}

async function write(client: pg.PoolClient, method: string, id: string, sent: Record<string, unknown>) {
  const query = async (name: string, statement: string, values: readonly unknown[]) =>
    (await client.query<Host>({ name, text: statement, values: [...values] })).rows[0]
  const read = (one: number) => query('read', READ_HOST, [one])
  const audit = (action: string, { id: one, name }: Host, changes: object) =>
    query('audit', AUDIT, [action, one, name, JSON.stringify(changes)])
  if (method === 'POST') {
    const { name, organization_id: organization, location_id: location } = sent
    const created = await query('host', CREATE, [name, organization, location])
    if (!created) return null
    await query('interface', INTERFACE, [created.id, name])
    await audit('create', created, created)
    return read(created.id)
  }
  const before = await query('lock', 'select * from hosts where id = $1 for no key update', [id])
  if (!before) return null
  if (method === 'DELETE') {
    await audit('destroy', before, before)
    await query('delete', 'delete from hosts where id = $1', [id])
    return before
  }
  await query('update', 'update hosts set comment = $2, updated_at = now() where id = $1', [id, sent.comment])
  await audit('update', before, { comment: [before.comment, sent.comment] })
  return read(before.id)
}

const CREATE = 'insert into hosts (name, organization_id, location_id, managed) values ($1, $2, $3, false) returning *'
const INTERFACE =
  'insert into interfaces (host_id, name, "primary", provision, of_managed) values ($1, $2, true, true, false)'
const AUDIT = `
  with written as (
    insert into audits (action, auditable_type, auditable_id, auditable_name, audited_changes, version, user_name)
    values ($1, 'Host', $2, $3, $4, coalesce((select max(version) from audits where auditable_type = 'Host' and auditable_id = $2), 0) + 1, 'expert')
    returning id
  ), organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, organization_id from written, hosts where hosts.id = $2 and organization_id is not null
  )
  insert into audit_locations (audit_id, location_id)
  select written.id, location_id from written, hosts where hosts.id = $2 and location_id is not null`
