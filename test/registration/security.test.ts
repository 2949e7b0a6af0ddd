import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, managedHost, type Shown, unique } from '../support/given.ts'
import { BEHIND_PROXY, clientBody, newKey, newSite, register, type Site, showing } from './clients.ts'

// Registration must not bypass the permissions of users, and no request causes a fault of the service.

let api: TestApi
let site: Site
let places: { readonly organization_ids: number[]; readonly location_ids: number[] }

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  site = await newSite(api)
  places = { organization_ids: [site.id], location_ids: [1] }
  await newKey(api, site, 'plain')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const newName = () => `${unique('s')}.example.test`

async function joined(name: string) {
  const { body } = await register(api, site, 'plain', clientBody(name), '&location_id=1')
  const as = showing(body.idCert.cert)
  return { consumer: body, path: `/rhsm/consumers/${body.uuid}`, as }
}

describe('a user who may make hosts and edit some', () => {
  const registering = `/rhsm/consumers?location_id=1&owner=`
  const maker = (search: string) => api.can(['create_hosts'], { also: ['view_hosts'], ...places, search })

  test('does not take over a host that they may not edit', async () => {
    const name = newName()
    const { path, as } = await joined(name)
    const user = await maker('name ~ example')
    const { status, body } = await user.post(`${registering}${site.label}`, clientBody(name))
    expect([status, body.displayMessage]).toEqual([422, expect.stringContaining('which you may not edit')])
    expect((await api.nobody.get(path, as)).status).toBe(200)
    const other = newName()
    expect((await user.post(`${registering}${site.label}`, clientBody(other))).status).toBe(200)
  })

  test('neither sees nor gives what they may not view', async () => {
    const pair = `${site.view}-${site.library}`
    const asking = (user: Caller) =>
      user.post(`${registering}${site.label}`, clientBody(newName(), { environments: [{ id: pair }] }))
    const listing = async (user: Caller) => (await user.get(`/rhsm/owners/${site.label}/environments`)).body
    const blind = await maker('name ~ example')
    expect((await asking(blind)).status).toBe(404)
    expect(await listing(blind)).toEqual([])
    const also = ['view_lifecycle_environments', 'view_content_views']
    const seeing = await api.can(['create_hosts'], { also, ...places })
    expect((await asking(seeing)).status).toBe(200)
    expect(await listing(seeing)).toEqual([expect.objectContaining({ id: pair, name: 'Library' })])
  })

  test('nor one that belongs to no organization', async () => {
    const name = newName()
    const host = await expectCreated(api.admin.post('/api/hosts', { host: { name, managed: false, location_id: 1 } }))
    await sql`update hosts set organization_id = null where id = ${host.id}`.execute(api.database.db)
    const user = await api.can(['create_hosts'], {
      also: ['view_hosts', 'edit_hosts', 'view_lifecycle_environments', 'view_content_views'],
      ...places,
    })
    const sent = { name, lifecycle_environment_id: site.library, content_view_id: site.view }
    for (const { status } of [
      await user.post('/api/hosts/subscriptions', sent),
      await user.post(`${registering}${site.label}`, clientBody(name)),
    ])
      expect(status).toBe(422)
    expect((await api.admin.get(`/api/hosts/${host.id}`)).body.organization_id).toBe(null)
  })
})

describe('the token of a registration command', () => {
  /** Yields what the token of a command for the key `plain` of the site opens, by default for a user of the site alone. */
  const commanding = async (permissions = ['register_hosts'], organization_ids = [site.id], further: object = {}) => {
    const user = await api.can(permissions, { ...places, organization_ids })
    const sent = { organization_id: site.id, activation_keys: ['plain'], ...further }
    const { body } = await user.post('/api/registration_commands', { registration_command: sent })
    const token = /Bearer (mwr_[\w-]+)/.exec(body.registration_command)?.[1]
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
    return {
      show: (query: string) => api.nobody.get(`/register?${query}`, headers),
      report: (form: Record<string, string | number>) =>
        api.nobody.send({
          ...{ method: 'POST', url: '/register', headers },
          payload: new URLSearchParams(
            Object.entries(form).map(([key, value]): [string, string] => [key, String(value)]),
          ).toString(),
        }),
    }
  }
  const reporting = async (permissions?: string[]) => (await commanding(permissions)).report

  test('is for its organization, keys, location and host group, wherever its user is and whatever the user may', async () => {
    const [name, elsewhere] = [newName(), await newSite(api)]
    await newKey(api, elsewhere, 'plain')
    await newKey(api, site, 'second')
    const hostgroup = await given(api.admin, 'hostgroup', places)
    const organization_ids = [site.id, elsewhere.id]
    const limits = { hostgroup_id: (await given(api.admin, 'hostgroup', places)).id, location_id: 1 }
    const { show, report } = await commanding(['register_hosts', 'edit_hosts'], organization_ids, limits)
    const far = await given(api.admin, 'location', { organization_ids })
    expect((await show('activation_keys=plain')).text).toContain(`--org='${site.label}' --activationkey='plain'`)
    const beyond = [
      [`organization_id=${elsewhere.id}`, 'Organization'],
      ['activation_keys=plain,second', 'Activation keys'],
      [`location_id=${far.id}`, 'Location'],
      [`hostgroup_id=${hostgroup.id}`, 'Hostgroup'],
    ] as const
    for (const [query, words] of beyond) {
      const { status, text } = await show(query)
      expect([status, text]).toEqual([
        422,
        expect.stringContaining(`${words} is not what this registration command is for: make another one`),
      ])
    }
    for (const place of ['organization_id', 'location_id', 'hostgroup_id'] as const) {
      const id = { organization_id: elsewhere.id, location_id: far.id, hostgroup_id: hostgroup.id }[place]
      expect((await report({ 'host[name]': newName(), [`host[${place}]`]: id })).status).toBe(422)
    }
    const foreign = await register(api, elsewhere, 'plain', clientBody(newName()))
    const otherwise = await register(api, site, 'plain,second', clientBody(newName()))
    const byUser = await api.admin.post(`/rhsm/consumers?owner=${site.label}`, clientBody(newName()))
    for (const { status, body } of [foreign, otherwise, byUser])
      expect([status, (await report({ uuid: body.uuid })).status]).toEqual([200, 404])
    expect((await report({ 'host[name]': name })).status).toBe(200)
    expect((await api.admin.get(`/api/hosts/${name}`)).body).toMatchObject({ organization_id: site.id, ...limits })
  })

  test('ends with its organization', async () => {
    const gone = await newSite(api)
    const { show } = await commanding(['register_hosts'], [gone.id], { organization_id: gone.id })
    expect((await show('')).status).toBe(200)
    expect((await api.admin.delete(`/api/organizations/${gone.id}`)).status).toBe(200)
    expect((await show('')).status).toBe(401)
  })

  test('shapes no host that is somebody else’s', async () => {
    const [mine, theirs] = [await reporting(), await reporting()]
    const { consumer } = await joined(newName())
    const report = { uuid: consumer.uuid, 'host[location_id]': 1 }
    expect((await mine(report)).status).toBe(200)
    expect((await theirs(report)).status).toBe(404)
    expect((await mine(report)).status).toBe(200)
    const editing = await reporting(['register_hosts', 'edit_hosts'])
    const { consumer: again } = await joined(consumer.name)
    expect((await theirs({ ...report, uuid: again.uuid })).status).toBe(404)
    expect((await editing({ ...report, uuid: again.uuid })).status).toBe(200)
  })

  test('moves a host to an environment that it has already, once, and that is remembered', async () => {
    const report = await reporting()
    const { consumer } = await joined(newName())
    const dev = await given(api.admin, 'lifecycle_environment', {
      ...{ organization_id: site.id, name: unique('Dev'), prior_id: site.library },
    })
    const { db } = api.database
    await sql`
      insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
      select content_view_id, ${dev.id}, content_view_version_id from content_view_environments where content_view_id = ${site.view} limit 1`.execute(
      db,
    )
    await sql`insert into host_environments values (${Number(consumer.id)}, 1, ${site.view}, ${dev.id})`.execute(db)
    const moving = { uuid: consumer.uuid, 'host[lifecycle_environment_id]': dev.id }
    expect((await report(moving)).status).toBe(200)
    const found = sql`select position, environment_id as environment from host_environments where host_id = ${Number(consumer.id)}`
    expect(await rows(db, found)).toEqual([{ position: 0, environment: dev.id }])
    const search = encodeURIComponent(`type = host and auditable_id = ${consumer.id} and action = update`)
    const { results } = (await api.admin.get(`/api/audits?search=${search}`)).body
    const label = `${dev.label}/Default_Organization_View`
    const audited_changes = { content_view_environments: [['Library', label], [label]] }
    expect(results).toContainEqual(
      expect.objectContaining({ audited_changes, user_name: expect.stringMatching(/^user/) }),
    )
    const absent = await given(api.admin, 'lifecycle_environment', {
      ...{ organization_id: site.id, name: unique('Prod'), prior_id: dev.id },
    })
    expect((await report({ ...moving, 'host[lifecycle_environment_id]': absent.id })).status).toBe(422)
  })
})

describe('another machine with the name of a registered host', () => {
  const machine = (last: number) => `4c4c4544-0044-4a10-8052-b7c04f4e000${last}`
  const body = (name: string, uuid?: string) => clientBody(name, {}, { 'dmi.system.uuid': uuid })

  test('does not use the key that was for one registration', async () => {
    const key = unique('once')
    await newKey(api, site, key, { single_use: true })
    const name = newName()
    expect((await register(api, site, key, body(name, machine(1)))).status).toBe(200)
    expect((await register(api, site, key, body(name, machine(1)))).status).toBe(200)
    for (const stranger of [body(name, machine(2)), body(name)])
      expect((await register(api, site, key, stranger)).status).toBe(409)
  })

  test('takes no known host that belongs to no organization, unless a setting lets it', async () => {
    const secrets = {
      ...{ root_pass: 'a long password', organization_id: site.id, location_id: 1 },
      host_parameters_attributes: [{ name: 'door', value: 'deep-secret', hidden_value: true }],
    }
    const managed = await given(api.admin, 'host', { ...(await managedHost(api.admin)), ...secrets, build: false })
    const told = await given(api.admin, 'host', { name: newName(), ...secrets })
    const { db } = api.database
    const read = async ({ id }: Shown) => (await api.admin.get(`/api/hosts/${id}`)).body
    for (const { id } of [managed, told])
      await sql`update hosts set organization_id = null where id = ${id}`.execute(db)
    const [before, after] = [await read(managed), await read(told)]
    for (const { name } of [managed, told]) {
      for (const build of [false, true]) {
        await sql`update hosts set build = ${build} where name = ${name}`.execute(db)
        const { status, body: answer } = await register(api, site, 'plain', body(name, machine(9)))
        expect([status, answer.displayMessage]).toEqual([
          422,
          `Host ${name} is known and belongs to no organization: give it the organization of the key, or register it as a user who may edit it.`,
        ])
      }
      await sql`update hosts set build = false where name = ${name}`.execute(db)
    }
    expect([await read(managed), await read(told)]).toEqual([before, after])
    const letting = (value: boolean) => api.admin.put('/api/settings/register_unowned_hosts', { setting: { value } })
    await letting(true)
    expect((await register(api, site, 'plain', body(told.name))).status).toBe(200)
    await letting(false)
    const others = await newSite(api)
    await newKey(api, others, 'plain')
    await api.admin.put(`/api/hosts/${managed.id}`, { host: { organization_id: site.id } })
    expect((await register(api, others, 'plain', body(managed.name))).status).toBe(422)
    expect((await register(api, site, 'plain', body(managed.name))).status).toBe(200)
    expect([(await read(managed)).organization_id, (await read(told)).organization_id]).toEqual([site.id, site.id])
  })

  const assuming = (value: boolean) => api.admin.put('/api/settings/host_profile_assume', { setting: { value } })
  const refused = (name: string) => [
    422,
    expect.stringContaining(
      `Host ${name} is registered: unregister it, put it into build mode, register with its present certificate, or as a user who may edit it.`,
    ),
  ]
  const lastAudit = async (id: number) =>
    (
      await rows<{ by: string; changes: Record<string, unknown>; remote_address: string }>(
        api.database.db,
        sql`select user_name as by, audited_changes as changes, host(remote_address) as remote_address from audits
          where auditable_type = 'Host' and auditable_id = ${id} order by id desc limit 1`,
      )
    )[0]

  /** Every state of an existing host, and every proof beside a key, with whether the host may register again. */
  const states: Readonly<Record<string, (id: number, path: string, as: Record<string, string>) => Promise<unknown>>> = {
    registered: async () => undefined,
    unregistered: (_id, path, as) => api.nobody.delete(path, undefined, as),
    building: (id) => sql`update hosts set build = true where id = ${id}`.execute(api.database.db),
  }
  const shown: Readonly<
    Record<string, { readonly machine: number | null; readonly certificate?: 'present' | 'former' | 'other' }>
  > = {
    nothing: { machine: null },
    'another machine': { machine: 8 },
    'the same machine': { machine: 7 },
    'the present certificate': { machine: 8, certificate: 'present' },
    'a former certificate': { machine: 8, certificate: 'former' },
    'the certificate of another host': { machine: 8, certificate: 'other' },
  }
  const own = new Set(['the same machine', 'the present certificate'])

  test.each(Object.keys(states).flatMap((state) => Object.keys(shown).map((proof) => [state, proof] as const)))(
    'a host that is %s, by a key with %s',
    async (state, proof) => {
      const [name, other] = [newName(), await joined(newName())]
      const last = Number(unique('9').slice(1))
      const uuid = (digit: number) => `4c4c4544-0044-4a10-80${digit}2-b7c04f4e${String(last).padStart(4, '0')}`
      const former = await register(api, site, 'plain', body(name, uuid(7)), '&location_id=1')
      const present = await register(api, site, 'plain', body(name, uuid(7)))
      const path = `/rhsm/consumers/${present.body.uuid}`
      const certificates = { present: present.body.idCert.cert, former: former.body.idCert.cert }
      await states[state]?.(Number(present.body.id), path, showing(certificates.present))
      const { machine, certificate } = shown[proof] ?? { machine: null }
      const as =
        certificate === undefined ? {} : certificate === 'other' ? other.as : showing(certificates[certificate])
      const again = (sent: object) =>
        api.nobody.post(`/rhsm/consumers?owner=${site.label}&activation_keys=plain`, sent, as)
      const sent = body(name, machine === null ? undefined : uuid(machine))
      const may = state !== 'registered' || own.has(proof)
      const before = await lastAudit(Number(present.body.id))
      const answer = await again(sent)
      if (may) {
        expect(answer.status).toBe(200)
        expect(await lastAudit(Number(present.body.id))).toMatchObject({
          ...{ by: 'System', remote_address: '127.0.0.1' },
          changes: {
            registration: [state === 'unregistered' ? null : present.body.uuid, answer.body.uuid],
            registered_by: [null, expect.any(String)],
          },
        })
        return
      }
      expect([answer.status, answer.body.displayMessage]).toEqual(refused(name))
      expect(await lastAudit(Number(present.body.id))).toEqual(before)
      expect((await api.nobody.get(path, showing(certificates.present))).status).toBe(200)
      await assuming(true)
      expect((await again(sent)).status).toBe(200)
      await assuming(false)
    },
    120_000,
  )

  test('a certificate is no login: without a key it registers nothing', async () => {
    const { consumer, as } = await joined(newName())
    for (const name of [consumer.name, newName()]) {
      const { status } = await api.nobody.post(`/rhsm/consumers?owner=${site.label}`, clientBody(name), as)
      expect(status).toBe(401)
    }
  })

  test('users take it where they may edit the host', async () => {
    const name = newName()
    await register(api, site, 'plain', body(name, machine(5)), '&location_id=1')
    const { status, body: consumer } = await api.admin.post(
      `/rhsm/consumers?owner=${site.label}`,
      body(name, machine(6)),
    )
    expect(status).toBe(200)
    expect(await lastAudit(Number(consumer.id))).toMatchObject({
      changes: { registered_by: [null, 'user'], system_uuid: [machine(5), machine(6)] },
    })
  })
})

test('a machine names locations of its organization, of its key and of nobody; others are like those that are not there', async () => {
  const other = await newSite(api)
  const location = (sent: Body = {}) => given(api.admin, 'location', sent)
  const member = (organization: number, { id }: Shown) =>
    given(api.admin, 'user', { organization_ids: [organization], location_ids: [id] })
  const [own, theirs, nobodys, used, shared] = [
    await location({ organization_ids: [site.id] }),
    await location({ organization_ids: [other.id] }),
    await location(),
    await location(),
    await location(),
  ]
  const below = await location({ parent_id: own.id })
  const belowTheirs = await location({ parent_id: theirs.id })
  for (const place of [used, shared]) await member(other.id, place)
  await member(site.id, shared)
  await newKey(api, site, 'abroad', { location_ids: [theirs.id] })
  const sent = async (keys: string, place: Pick<Shown, 'id'> | { title: string }) => {
    const name = newName()
    const facts = 'title' in place ? { millwright_location: place.title } : {}
    const query = 'id' in place ? `&location_id=${place.id}` : ''
    const { status, body } = await register(api, site, keys, clientBody(name, {}, facts), query)
    if (status !== 200) return [status, body.displayMessage]
    return (await api.admin.get(`/api/hosts/${name}`)).body.location_id
  }
  for (const { id, title } of [own, below, nobodys, shared])
    expect([await sent('plain', { id }), await sent('plain', { title })]).toEqual([id, id])
  for (const { id, title } of [theirs, belowTheirs, used, { id: 99_999, title: 'Nowhere' }])
    expect([await sent('plain', { id }), await sent('plain', { title })]).toEqual([
      [404, `Couldn't find location '${id}'`],
      [404, `Couldn't find location '${title}'`],
    ])
  expect(await sent('abroad', { id: belowTheirs.id })).toBe(belowTheirs.id)
  const user = await api.can(['create_hosts'], { organization_ids: [site.id], location_ids: [own.id] })
  for (const [id, status] of [
    [own.id, 200],
    [theirs.id, 404],
    [99_999, 404],
  ])
    expect(
      (await user.post(`/rhsm/consumers?owner=${site.label}&location_id=${id}`, clientBody(newName()))).status,
    ).toBe(status)
  await api.admin.put('/api/settings/default_location', { setting: { value: theirs.title } })
  const { body } = await register(api, site, 'plain', clientBody(newName()))
  await api.admin.put('/api/settings/default_location', { setting: { value: '' } })
  expect((await api.admin.get(`/api/hosts/${body.name}`)).body.location_id).toBe(null)
})

test('a new certificate of an existing host is audited with who got it', async () => {
  const { path, consumer } = await joined(newName())
  const user = await api.can(['edit_hosts'], places)
  expect((await user.post(path, {})).status).toBe(200)
  const found = await rows(
    api.database.db,
    sql`select user_id, audited_changes as changes from audits
      where auditable_type = 'Host' and auditable_id = ${Number(consumer.id)} order by id desc limit 1`,
  )
  const changes = { identity_certificate: [String(consumer.idCert.id), expect.stringMatching(/^\d+$/)] }
  expect(found).toEqual([{ user_id: user.id, changes }])
  expect(JSON.stringify(found)).not.toContain('PRIVATE')
})

test('clients and configuration engines leave the facts of each other alone', async () => {
  const name = newName()
  const { path, as } = await joined(name)
  const factsOf = async () => (await api.admin.get(`/api/hosts/${name}/facts?per_page=all`)).body.results[name]
  const told = { 'network::hostname': name, 'uname::machine': 'x86_64', 'memory::memtotal': '4000000' }
  const upload = (facts: object) => api.admin.post('/api/hosts/facts', { name, facts })
  expect((await upload({ role: 'web', old: '1' })).status).toBe(201)
  expect(await factsOf()).toMatchObject({ ...told, role: 'web', old: '1' })
  const facts = { 'network.hostname': name, 'uname.machine': 'aarch64' }
  expect((await api.nobody.put(path, { facts }, as)).status).toBe(200)
  await upload({ role: 'web' })
  const both = { 'network::hostname': name, 'uname::machine': 'aarch64', role: 'web' }
  expect(await factsOf()).toMatchObject(both)
  for (const gone of ['memory::memtotal', 'old']) expect(await factsOf()).not.toHaveProperty([gone])
  expect((await register(api, site, 'plain', clientBody(name))).status).toBe(200)
  expect(await factsOf()).toMatchObject({ ...told, role: 'web' })
})

test('nothing that clients send is a fault of the service', async () => {
  const { path, as } = await joined(newName())
  const answers = [
    await api.nobody.delete(`${path}/content_overrides`, [{ contentLabel: '\0', name: 'enabled' }], as),
    await api.nobody.delete(`${path}/content_overrides`, [{ contentLabel: '\ud800' }], as),
    await api.nobody.delete(`${path}/content_overrides`, [{ contentLabel: { a: 1 }, name: [1] }], as),
    await api.admin.get('/rhsm/owners/%00/pools'),
    await api.admin.post(
      `/rhsm/consumers?owner=${site.label}`,
      clientBody(newName(), { environments: [{ id: '\0' }] }),
    ),
    await api.nobody.post(`/rhsm/consumers?owner=${site.label}&activation_keys=plain`, clientBody(newName()), {
      host: `${'a'.repeat(300)}.test`,
    }),
    await api.nobody.post(
      `/rhsm/consumers?owner=${site.label}&activation_keys=plain&activation_keys=plain`,
      clientBody(newName()),
    ),
    await api.nobody.post(
      `/rhsm/consumers?owner=${site.label}&activation_keys=plain`,
      clientBody(newName(), {}, { big: 1e300, n: -0 }),
    ),
    await api.nobody.post(`/rhsm/consumers?owner=${site.label}&activation_keys=plain`, [1]),
    await api.nobody.put(path, { installedProducts: [{ productId: '1', deep: { a: [[]] } }], autoheal: 'x' }, as),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 400, 200, 400, 200, 400, 200])
})
