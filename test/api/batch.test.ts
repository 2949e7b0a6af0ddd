import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_REQUEST_TIMEOUT: '1s' } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface Operation {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const batch = (operations: readonly Operation[], caller = api.admin, headers: Record<string, string> = {}) =>
  caller.post('/api/batch', { operations }, headers)
const creating = (name: string, more: object = {}): Operation => ({
  method: 'POST',
  path: '/api/hosts',
  body: { host: { name, managed: false, ...more } },
})
const total = async (search: string) =>
  (await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.subtotal

describe('a batch', () => {
  test('is answered however long its work takes: only who sends or reads slowly is cut off', async () => {
    const address = await api.listen()
    const name = `${unique('slow')}.test`
    const { hostname, port } = new URL(address)
    const authorization = basic(ADMIN.login, ADMIN.password)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    let received = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      received += data
    })
    const sent = await api.database.db.transaction(async (tx) => {
      await sql`lock table hosts in exclusive mode`.execute(tx)
      const answered = fetch(`${address}/api/batch`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ operations: [creating(name)] }),
      })
      const text = JSON.stringify({ operations: [creating(`piped-${name}`)] })
      const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`
      const length = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
      // The second request is handled meanwhile, but its answer has to wait for that of the first.
      socket.write(`POST /api/batch ${head}${length}\r\n${text}GET /livez ${head}\r\n`)
      await setTimeout(2500)
      expect({ received, isOpen: socket.readyState }).toEqual({ received: '', isOpen: 'open' })
      return { answered }
    })
    const answer = await sent.answered
    expect(answer.status).toBe(200)
    await expect.poll(() => received.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(await total(`name ~ ${name}`)).toBe(2)
  })

  test('does all of its operations, each answered as a request of its own', async () => {
    const [a, b] = [`${unique('batch')}.test`, `${unique('batch')}.test`]
    const { status, body } = await batch([
      creating(a),
      { method: 'PUT', path: `/api/hosts/${a}`, body: { host: { comment: 'seen by those behind it' } } },
      { method: 'PATCH', path: `/api/v2/hosts/${a}.json?organization_id=1`, body: { comment: 'flat' } },
      creating(b),
      { method: 'DELETE', path: `/api/hosts/${b}` },
    ])
    expect(status).toBe(200)
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 200, 200, 201, 200])
    expect(body.results).toMatchObject([
      { body: { name: a } },
      { body: { comment: 'seen by those behind it' } },
      { body: { comment: 'flat' } },
      { body: { name: b } },
      { body: { name: b, lookup_value_matcher: `fqdn=${b}` } },
    ])
    expect([await total(`name = ${a}`), await total(`name = ${b}`)]).toEqual([1, 0])
  })

  test('audits each of them', async () => {
    const name = `${unique('audited')}.test`
    await batch([creating(name), { method: 'PUT', path: `/api/hosts/${name}`, body: { comment: 'x' } }])
    const { body } = await api.admin.get(`/api/audits?search=${encodeURIComponent('type = host')}&per_page=all`)
    const own = body.results.filter((one: { auditable_name: string }) => one.auditable_name === name)
    expect(own.map(({ action }: { action: string }) => action).sort()).toEqual(['create', 'update'])
  })

  test('stores nothing when one fails, and says of each what became of it', async () => {
    const name = `${unique('undone')}.test`
    const { status, body } = await batch([
      creating(name),
      creating('not a name'),
      creating(name),
      { method: 'DELETE', path: '/api/hosts/987654' },
      { method: 'POST', path: '/api/nothing' },
    ])
    expect(status).toBe(422)
    expect(body.error).toEqual({ message: 'Nothing was stored: 4 of 5 operations failed' })
    expect(body.results).toMatchObject([
      { status: 201, body: { name } },
      { status: 422, body: { error: { errors: { name: [expect.stringMatching(/^is not a host name/)] } } } },
      { status: 422, body: { error: { errors: { name: ['has already been taken'] } } } },
      { status: 404, body: { error: { message: "Resource host not found by id '987654'" } } },
      { status: 404, body: { status: 404, error: 'Not Found' } },
    ])
    expect(await total(`name = ${name}`)).toBe(0)
  })

  test('stores nothing in a dry run, and says what each operation would have got', async () => {
    const name = `${unique('tried')}.test`
    const operations = [
      creating(name),
      creating(name),
      { method: 'PUT', path: `/api/hosts/${name}`, body: { host: { comment: 'x' } } },
    ]
    const sent = { operations: [...operations, ...Array.from({ length: 101 }, () => creating('-'))], dry_run: true }
    const { status, body } = await api.admin.post('/api/batch', sent)
    expect([status, body.error]).toEqual([200, undefined])
    expect(body.results.map((one: { status: number }) => one.status)).toEqual([201, 422, 200, ...Array(101).fill(422)])
    expect(await total(`name = ${name}`)).toBe(0)
    const { body: audits } = await api.admin.get(`/api/audits?search=${encodeURIComponent(`host = ${name}`)}`)
    expect(audits.subtotal).toBe(0)
    const denied = await (await api.can(['view_hosts'])).post('/api/batch', { operations, dry_run: true })
    expect(denied.body.results.map((one: { status: number }) => one.status)).toEqual([403, 403, 403])
    const wrong = await api.admin.post('/api/batch', { operations, dry_run: 'yes' })
    expect(wrong.body.error).toMatchObject({ parameter_name: 'dry_run' })
  })

  test('stops after a hundred failures', async () => {
    const { body } = await batch(Array.from({ length: 120 }, () => creating('-')))
    expect(body.results).toHaveLength(100)
    expect(body.error.message).toBe('Nothing was stored: 100 of 120 operations failed, and 20 were not tried')
  })

  test('that is not atomic takes note of rights that it takes away itself, and asks for its caller without statements', async () => {
    const names = [unique('before'), unique('behind')]
    const creator = (name: string) => ({ method: 'POST', path: '/api/models', body: { model: { name } } })
    const caller = await api.can(['view_models', 'create_models', 'view_filters', 'destroy_filters'])
    const send = (operations: readonly Operation[]) => caller.post('/api/batch', { operations, atomic: false })
    await send([creator(unique('warm'))])
    const { texts, result } = await api.counting(() => send(Array.from({ length: 20 }, () => creator(unique('many')))))
    expect(result.body.results).toHaveLength(20)
    // The first look-up is not remembered where a notification of the new user comes late.
    expect(texts.filter((text) => /personal_access_tokens|held_filters/.test(text)).length).toBeLessThan(3)

    const [before, behind] = names.map(creator)
    const [filter] = await rows<{ id: number }>(
      api.database.db,
      sql`select f.id from filters f join user_roles r using (role_id) join filter_permissions l on l.filter_id = f.id
        join permissions p on p.id = l.permission_id where r.user_id = ${caller.id} and p.name = 'create_models'`,
    )
    const losing = { method: 'DELETE', path: `/api/filters/${filter?.id}` }
    const { body } = await send([before, losing, behind].filter((one) => one !== undefined))
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 200, 403])
  })

  test('goes on past what is refused when it is not atomic, and stores the rest', async () => {
    const [name, other] = [`${unique('kept')}.test`, `${unique('kept')}.test`]
    const editor = await api.can(['view_hosts', 'create_hosts', 'destroy_hosts', 'view_models'], {
      organization_ids: [1],
      location_ids: [1],
    })
    const place = { organization_id: 1, location_id: 1 }
    const operations = [
      creating(name, place),
      creating('not a name', place),
      creating(name, place),
      { method: 'POST', path: '/api/models', body: { model: { name } } },
      { method: 'DELETE', path: '/api/hosts/987654' },
      { method: 'POST', path: '/api/batch', body: { operations: [] } },
      creating(other, place),
      { method: 'DELETE', path: `/api/hosts/${name}` },
    ]
    const { status, body } = await editor.post('/api/batch', { operations, atomic: false })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['results'])
    expect(body.results).toMatchObject([
      { status: 201, body: { name } },
      { status: 422, body: { error: { errors: { name: [expect.stringMatching(/^is not a host name/)] } } } },
      { status: 422, body: { error: { errors: { name: ['has already been taken'] } } } },
      { status: 403, body: { error: { missing_permissions: ['create_models'] } } },
      { status: 404, body: { error: { message: "Resource host not found by id '987654'" } } },
      { status: 404, body: { error: 'Not Found' } },
      { status: 201, body: { name: other } },
      { status: 200, body: { name } },
    ])
    expect([await total(`name = ${name}`), await total(`name = ${other}`)]).toEqual([0, 1])
    const audits = await api.admin.get(`/api/audits?search=${encodeURIComponent('type = host')}&per_page=all`)
    const own = audits.body.results.filter((one: { auditable_name: string }) =>
      [name, other].includes(one.auditable_name),
    )
    expect(own.map(({ action }: { action: string }) => action).sort()).toEqual(['create', 'create', 'destroy'])
  })

  test('reads on past a hundred refusals when it is not atomic, and takes effect where processes remember', async () => {
    const operations = [
      ...Array.from({ length: 101 }, () => creating('-')),
      { method: 'PUT', path: '/api/settings/entries_per_page', body: { setting: { value: 3 } } },
    ]
    const sent = { operations, atomic: false }
    const { body } = await api.admin.post('/api/batch', sent, { prefer: 'return=minimal' })
    expect(body.results).toHaveLength(102)
    expect(body.results.at(-1)).toEqual({ status: 200 })
    expect((await api.admin.get('/api/architectures')).body.per_page).toBe(3)
    await api.admin.put('/api/settings/entries_per_page', { setting: { value: 20 } })
  })

  test.each(['false', 0, null])('refuses atomic: %j', async (atomic) => {
    const { status, body } = await api.admin.post('/api/batch', { operations: [creating('x.test')], atomic })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ parameter_name: 'atomic' })
    expect(body.error.message).toContain('must be true or false')
  })

  test('leaves bodies out when it is asked to', async () => {
    const name = `${unique('minimal')}.test`
    const { body, headers } = await batch([creating(name)], api.admin, { prefer: 'return=minimal' })
    expect(body).toEqual({ results: [{ status: 201 }] })
    expect(headers['preference-applied']).toBe('return=minimal')
    const failed = await batch([creating(name)], api.admin, { prefer: 'wait=10, return=minimal' })
    expect(failed.body.results[0].body.error.errors).toEqual({ name: ['has already been taken'] })
  })

  test('grants no more than requests of their own do', async () => {
    const elsewhere = await given(api.admin, 'location')
    const hidden = await given(api.admin, 'host', { location_id: elsewhere.id, organization_id: 1 })
    const editor = await api.can(['view_hosts', 'edit_hosts'], { organization_ids: [1], location_ids: [1] })
    const { status, body } = await batch(
      [
        creating(unique('denied')),
        { method: 'PUT', path: `/api/hosts/${hidden.id}`, body: { comment: 'x' } },
        { method: 'PUT', path: `/api/hosts/1?location_id=${elsewhere.id}`, body: {} },
        { method: 'DELETE', path: '/api/users/1' },
      ],
      editor,
    )
    expect(status).toBe(422)
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([403, 404, 404, 403])
    expect(body.results[0].body.error.missing_permissions).toEqual(['create_hosts'])
    expect((await batch([], api.nobody)).status).toBe(401)
  })

  test('takes effect at once where processes remember', async () => {
    const { body } = await batch([
      { method: 'PUT', path: '/api/settings/entries_per_page', body: { setting: { value: 3 } } },
    ])
    expect(body.results).toMatchObject([{ status: 200 }])
    expect((await api.admin.get('/api/architectures')).body.per_page).toBe(3)
    await api.admin.put('/api/settings/entries_per_page', { setting: { value: 20 } })
  })

  test('has an organization and a location that count for all of it', async () => {
    const organization = await given(api.admin, 'organization')
    const { body } = await api.admin.post(`/api/batch?organization_id=${organization.id}`, {
      operations: [creating(`${unique('scoped')}.test`)],
    })
    expect(body.results).toMatchObject([{ body: { organization_id: organization.id } }])
  })

  test('may be larger than other requests', async () => {
    const comment = 'x'.repeat(60_000)
    const operations = Array.from({ length: 30 }, () => creating(`${unique('large')}.test`, { comment }))
    expect((await batch(operations)).status).toBe(200)
  })

  test.each([
    [undefined, 'must be a list of at least one operation'],
    [[], 'must be a list of at least one operation'],
    [[{ method: 'GET', path: '/api/hosts' }], 'must be an object with a method'],
    [['x'], 'must be an object with a method'],
    [Array(10_001).fill({ method: 'POST', path: '/api/hosts' }), 'must be at most 10000 operations'],
  ])('refuses %.60j', async (operations, message) => {
    const { status, body } = await api.admin.post('/api/batch', { operations })
    expect(status).toBe(400)
    expect(body.error.message).toContain(message)
  })

  test.each(['/api/batch', 'http://elsewhere/api/hosts', '/livez', '//api/hosts'])(
    'does not reach %s',
    async (path) => {
      const { body } = await batch([{ method: 'POST', path, body: {} }])
      expect(body.results).toEqual([{ status: 404, body: { status: 404, error: 'Not Found' } }])
    },
  )

  test.each([
    '/api/session',
    '/api/smart_proxies',
    '/api/hosts/1/configrun',
    '/api/hosts/subscriptions',
    '/api/auth_source_ldaps',
  ])('is no place for %s', async (path) => {
    const { body } = await batch([{ method: path.endsWith('configrun') ? 'PUT' : 'POST', path, body: {} }])
    expect(body.results[0]).toMatchObject({ status: 400, body: { error: { parameter_name: 'path' } } })
  })
})

describe('records that a batch writes in a row', () => {
  const updating = (path: string, body: object): Operation => ({ method: 'PUT', path, body })
  const shown = async (path: string) => (await api.admin.get(path)).body

  test('are answered as the write left them, whatever comes next', async () => {
    const [a, b] = [`${unique('run')}.test`, `${unique('run')}.test`]
    const { body } = await batch([
      creating(a),
      creating(b),
      updating(`/api/hosts/${a}`, { comment: 'first' }),
      updating(`/api/hosts/${b}`, { comment: 'other' }),
      updating(`/api/hosts/${a}`, { comment: 'second' }),
      { method: 'DELETE', path: `/api/hosts/${b}` },
      creating(b),
    ])
    const seen = body.results.map((one: { body: { name: string; comment: string } }) => [
      one.body.name,
      one.body.comment,
    ])
    expect(seen).toEqual([
      [a, ''],
      [b, ''],
      [a, 'first'],
      [b, 'other'],
      [a, 'second'],
      [b, 'other'],
      [b, ''],
    ])
    expect(body.results[4].body).toEqual(await shown(`/api/hosts/${a}`))
    expect(body.results[6].body).toEqual(await shown(`/api/hosts/${b}`))
    const [first, second] = [body.results[0].body.id, body.results[6].body.id]
    const { body: again } = await batch([
      updating(`/api/hosts/${first}`, { comment: '1' }),
      updating(`/api/hosts/${second}`, { comment: '2' }),
      updating(`/api/hosts/${a}`, { comment: '3' }),
      updating(`/api/hosts/${first}`, { comment: '4' }),
      updating(`/api/hosts/${first}`, { comment: '5' }),
    ])
    expect(again.results.map((one: { body: { comment: string } }) => one.body.comment)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
  })

  test('are answered each by itself where one is a part of what another shows', async () => {
    const [parent, child] = [unique('group'), unique('group')]
    const { body } = await batch([
      { method: 'POST', path: '/api/hostgroups', body: { hostgroup: { name: parent } } },
      { method: 'POST', path: '/api/hostgroups', body: { hostgroup: { name: child } } },
    ])
    const [first, second] = body.results.map(({ body: { id } }: { body: { id: number } }) => id)
    const moved = await batch([
      updating(`/api/hostgroups/${second}`, { parent_id: first }),
      updating(`/api/hostgroups/${first}`, { name: `${parent}x` }),
    ])
    expect(moved.body.results[0].body.title).toBe(`${parent}/${child}`)
    expect(await shown(`/api/hostgroups/${second}`)).toMatchObject({ title: `${parent}x/${child}` })
  })

  test('are read together', async () => {
    const count = async (hosts: number) => {
      const operations = Array.from({ length: hosts }, () => creating(`${unique('many')}.test`))
      return (await api.counting(() => batch(operations))).count
    }
    await count(2)
    const each = ((await count(22)) - (await count(2))) / 20
    // Three look-ups, the host, its interface, and the state of that: audits and answers are one statement for all of them.
    expect(each).toBe(6)
  })

  test('are audited together, each with its own values, places and number', async () => {
    const names = Array.from({ length: 3 }, () => `${unique('series')}.test`)
    const made = await batch(names.map((name) => creating(name, { organization_id: 1, location_id: 1 })))
    const ids: number[] = made.body.results.map(({ body: { id } }: { body: { id: number } }) => id)
    await batch(ids.map((id, place) => updating(`/api/hosts/${id}`, { comment: `comment ${place}` })))
    const written = await rows(
      api.database.db,
      sql`select a.auditable_id as id, a.action, a.version, a.audited_changes -> 'name' #>> '{}' as name,
          a.audited_changes -> 'comment' ->> 1 as comment,
          array(select organization_id from audit_organizations where audit_id = a.id) as organizations
        from audits a where a.auditable_type = 'Host' and a.auditable_id = any (${ids}::bigint[]) order by a.id`,
    )
    const [organizations, comment] = [[1], null]
    expect(written).toEqual([
      ...ids.map((id, at) => ({ id, action: 'create', version: 1, name: names[at], comment, organizations })),
      ...ids.map((id, at) => ({
        ...{ id, action: 'update', version: 2, name: null, organizations },
        comment: `comment ${at}`,
      })),
    ])
  })

  test('are refused each by itself where their author may not write what one of them leaves', async () => {
    const user = await api.can(['create_hosts', 'edit_hosts'], {
      ...{ search: 'comment = ours', also: ['view_hosts'] },
      ...{ organization_ids: [1], location_ids: [1] },
    })
    const place = { organization_id: 1, location_id: 1 }
    const names = Array.from({ length: 3 }, () => `${unique('theirs')}.test`)
    const refused = await batch(
      names.map((name, at) => creating(name, { ...place, comment: at === 1 ? 'not ours' : 'ours' })),
      user,
    )
    expect(refused.status).toBe(422)
    expect(refused.body.results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201])
    expect(refused.body.results[1].body.error.full_messages[0]).toContain("don't have permission create_hosts")
    expect(await total(names.map((name) => `name = ${name}`).join(' or '))).toBe(0)
    const stored = await batch(
      names.map((name) => creating(name, { ...place, comment: 'ours' })),
      user,
    )
    expect(stored.status).toBe(200)
  })

  test('are refused each by itself where an address is none of its subnet', async () => {
    const subnet = await given(api.admin, 'subnet', { network: '192.0.2.0', mask: '255.255.255.0' })
    const names = Array.from({ length: 3 }, () => `${unique('addressed')}.test`)
    const { body } = await batch(
      names.map((name, at) =>
        creating(name, { subnet_id: subnet.id, ip: at === 2 ? '198.51.100.7' : `192.0.2.${at + 1}` }),
      ),
    )
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 422])
    expect(body.results[2].body.error.errors).toMatchObject({ ip: ['does not match selected subnet'] })
  })
})
