import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RAW_KEYS } from '../../src/areas/inventory/host/raw.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, managedHost } from '../support/given.ts'

// Smart-parameters §9.2, core-api §8.6: agents upload the facts of their hosts.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let count = 0
const newName = () => `n${++count}.example.test`
const upload = (name: unknown, facts: unknown, further: object = {}, caller: Caller = api.admin) =>
  caller.post('/api/hosts/facts', { name, facts, ...further })
const hostWith = async (facts: object, further: object = {}) => expectCreated(upload(newName(), facts, further))
const show = async (id: number) => (await api.admin.get(`/api/hosts/${id}`)).body
const factsOf = async (id: number) => {
  const { body } = await api.admin.get(`/api/hosts/${id}/facts?per_page=all`)
  return Object.values(body.results)[0] ?? {}
}
const set = async (name: string, value: unknown) => {
  expect((await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(200)
}

/** What agents of the first kind send. */
const FLAT = {
  _timestamp: '2010-02-16 12:52:38.163833 +01:00',
  operatingsystem: 'RedHat',
  operatingsystemrelease: '4',
  lsbdistcodename: 'NahantUpdate8',
  architecture: 'i386',
  hardwaremodel: 'i686',
  productname: 'Virtual Platform 7',
  domain: 'example.test',
  environment: 'flat_test',
  ipaddress: '192.0.2.22',
  macaddress: '00:0C:29:CF:00:45',
  is_virtual: 'true',
  ps: 'ps -ef',
}

const STRUCTURED = {
  os: {
    name: 'Ubuntu',
    release: { full: '22.04', major: '22', minor: '04' },
    architecture: 'amd64',
    distro: { codename: 'jammy' },
  },
  networking: { ip: '192.0.2.23', ip6: '2001:db8::23', mac: '52:54:00:aa:bb:23', domain: 'example.test' },
  dmi: { product: { name: 'ProLiant DL20' } },
  processors: { count: 4, models: ['a', 'b'] },
  load: 0.5,
  trusted: true,
  nothing: null,
}

describe('an upload for a host that nobody knows', () => {
  test('makes an unmanaged one, and answers 201 with its stored record', async () => {
    const name = newName()
    const { status, body } = await upload(name.toUpperCase(), FLAT)
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(RAW_KEYS)
    expect(body).toMatchObject({ name, managed: false, build: false, owner_id: null, owner_type: null })
    expect(body).toMatchObject({ organization_id: 1, location_id: 1, last_compile: '2010-02-16T11:52:38.163Z' })
    expect(await show(body.id)).toMatchObject({
      operatingsystem_name: 'RedHat 4',
      architecture_name: 'i386',
      model_name: 'Virtual Platform 7',
      domain_name: 'example.test',
      environment_name: 'flat_test',
      ip: '192.0.2.22',
      mac: '00:0c:29:cf:00:45',
    })
    const { body: os } = await api.admin.get('/api/operatingsystems/RedHat%204')
    expect(os).toMatchObject({ family: 'Redhat', release_name: null })
  })

  test('reads structured facts as well', async () => {
    const { id, certname } = await hostWith(STRUCTURED, { certname: 'agent.example.test' })
    expect(certname).toBe('agent.example.test')
    expect(await show(id)).toMatchObject({
      operatingsystem_name: 'Ubuntu 22.04',
      architecture_name: 'x86_64',
      model_name: 'ProLiant DL20',
      domain_name: 'example.test',
      environment_id: null,
      ip: '192.0.2.23',
      ip6: '2001:db8::23',
      mac: '52:54:00:aa:bb:23',
    })
  })

  test('is refused where the setting says so', async () => {
    await set('create_new_host_when_facts_are_uploaded', false)
    const name = newName()
    const { status, body } = await upload(name, FLAT)
    expect([status, body]).toEqual([404, { error: { message: `Resource host not found by id '${name}'` } }])
    await set('create_new_host_when_facts_are_uploaded', true)
    expect((await upload(name, FLAT)).status).toBe(201)
  })

  test('puts it where the facts, the request or the settings say', async () => {
    const [fact, context, setting] = [
      await given(api.admin, 'organization'),
      await given(api.admin, 'organization'),
      await given(api.admin, 'organization'),
    ]
    const place = async (facts: object, further: object = {}) =>
      (await hostWith({ told: 'x', ...facts }, further)).organization_id
    expect(await place({})).toBe(null)
    await set('default_organization', setting.title)
    expect(await place({})).toBe(setting.id)
    expect(await place({}, { organization_id: context.id })).toBe(context.id)
    expect(await place({ millwright_organization: fact.title }, { organization_id: context.id })).toBe(fact.id)
    expect(await place({ millwright_organization: 'Nowhere' })).toBe(null)
    await set('default_organization', '')
  })

  test('by somebody who may only upload stays in places of theirs', async () => {
    const other = await given(api.admin, 'location')
    const agent = await api.can(['upload_facts'], { organization_ids: [1], location_ids: [1] })
    const sent = await upload(
      newName(),
      { millwright_location: other.title },
      { location_id: 1, organization_id: 1 },
      agent,
    )
    expect([sent.status, sent.body.location_id, sent.body.organization_id]).toEqual([201, 1, 1])
  })
})

describe('an upload for a known host', () => {
  test('replaces all of its facts', async () => {
    const { id, name } = await hostWith({ kept: 'x', changed: '1', gone: 'y', nested: { a: 1, b: { c: 2 } } })
    expect(await factsOf(id)).toEqual({
      changed: '1',
      gone: 'y',
      kept: 'x',
      nested: null,
      'nested::a': '1',
      'nested::b': null,
      'nested::b::c': '2',
    })
    await expectCreated(upload(name, { kept: 'x', changed: '2', nested: { b: 'flat' } }))
    expect(await factsOf(id)).toEqual({ changed: '2', kept: 'x', nested: null, 'nested::b': 'flat' })
    // Nothing at all would take what is known of the host.
    for (const none of [{}, { nothing: null, _private: 1 }, { _type: 'ansible', ansible_facts: {} }]) {
      const { status, body } = await upload(name, none)
      expect([status, body.error.errors]).toEqual([422, { facts: ["can't be blank"] }])
    }
    expect(await factsOf(id)).toMatchObject({ changed: '2' })
  })

  test('touches only what differs, in statements that do not grow', async () => {
    const facts = (size: number, of: string) =>
      Object.fromEntries(Array.from({ length: size }, (_, n) => [`f${n}`, `${of}${n}`]))
    const { id, name } = await hostWith(facts(300, 'x'))
    const few = await api.counting(() => upload(name, facts(3, 'x')))
    const many = await api.counting(() => upload(name, facts(300, 'x')))
    expect(many.count).toBe(few.count)
    await sql`update fact_values set updated_at = now() - interval '1 day' where host_id = ${id}`.execute(
      api.database.db,
    )
    await expectCreated(upload(name, { ...facts(300, 'x'), f7: 'other' }))
    const lately = `/api/hosts/${id}/facts?search=${encodeURIComponent('reported_at > "1 hour ago"')}`
    expect((await api.admin.get(lately)).body.results).toEqual({ [name]: { f7: 'other' } })
  })

  test('finds it by the name of its certificate first', async () => {
    const one = await hostWith({ a: 1 }, { certname: 'one-cert' })
    const other = await hostWith({ a: 1 })
    const sent = await expectCreated(upload(other.name, { found: 'yes' }, { certname: 'one-cert' }))
    expect([sent.id, sent.name]).toEqual([one.id, one.name])
    expect(await factsOf(one.id)).toEqual({ found: 'yes' })
    expect(await factsOf(other.id)).toEqual({ a: '1' })
  })

  test('that is older than the last one changes nothing', async () => {
    const { id, name } = await hostWith({ a: 'new', _timestamp: '2026-03-31T12:00:00Z' })
    const sent = await expectCreated(upload(name, { a: 'old', _timestamp: '2026-03-31T11:59:59Z' }))
    expect([sent.id, sent.last_compile]).toEqual([id, '2026-03-31T12:00:00.000Z'])
    expect(await factsOf(id)).toEqual({ a: 'new' })
    await expectCreated(upload(name, { a: 'newest', _timestamp: '2026-03-31 14:00:01 +0200' }))
    expect(await factsOf(id)).toEqual({ a: 'newest' })
  })

  test('keeps the address of a managed host, and its environment', async () => {
    const mac = '52:54:00:00:00:77'
    const host = {
      ...(await managedHost(api.admin)),
      name: newName(),
      organization_id: 1,
      location_id: 1,
      mac,
      ip: '192.0.2.77',
    }
    const { id, name } = await expectCreated(api.admin.post('/api/hosts', { host }))
    await expectCreated(upload(name, STRUCTURED))
    const after = await show(id)
    expect(after).toMatchObject({ ip: '192.0.2.77', mac, environment_id: null, model_name: 'ProLiant DL20' })
    expect(await factsOf(id)).toMatchObject({ 'networking::ip': '192.0.2.23' })
  })

  test('that waits to be installed is refused', async () => {
    const { id, name } = await hostWith({ a: 'before' })
    const host = {
      ...(await managedHost(api.admin)),
      organization_id: 1,
      location_id: 1,
      root_pass: 'correct horse',
      build: true,
    }
    expect((await api.admin.put(`/api/hosts/${id}`, { host })).status).toBe(200)
    const { status, body } = await upload(name, { a: 1 })
    expect([status, body.error.errors]).toEqual([422, { base: ['Host is pending for build'] }])
    expect(await factsOf(id)).toEqual({ a: 'before' })
  })

  test('out of reach looks like no host at all', async () => {
    const elsewhere = await given(api.admin, 'location')
    const { name } = await hostWith({ a: 1 }, { location_id: elsewhere.id })
    const agent = await api.can(['upload_facts'], { organization_ids: [1], location_ids: [1] })
    const { status, body } = await upload(name, { a: 1 }, {}, agent)
    expect([status, body.error.message]).toEqual([404, `Resource host not found by id '${name}'`])
  })

  test('is kept where some of it does not fit', async () => {
    const mac = '52:54:00:00:00:99'
    const taken = { ...(await managedHost(api.admin)), name: newName(), organization_id: 1, location_id: 1, mac }
    await expectCreated(api.admin.post('/api/hosts', { host: taken }))
    const { id } = await hostWith({
      networking: { ip: '192.0.2.99', mac, ip6: 'fe80::1' },
      os: { name: 'Two words', release: { full: 'x' } },
      architecture: 'x'.repeat(300),
      environment: 'not one',
    })
    expect(await show(id)).toMatchObject({
      ip: '192.0.2.99',
      ip6: null,
      operatingsystem_id: null,
      architecture_id: null,
      environment_id: null,
    })
    expect(await factsOf(id)).toMatchObject({ 'networking::mac': mac, 'os::name': 'Two words' })
  })
})

describe('the operating system of facts', () => {
  const systemOf = async (facts: object) => {
    const { id } = await hostWith(facts)
    const { body } = await api.admin.get(`/api/operatingsystems/${(await show(id)).operatingsystem_id}`)
    return body
  }
  const release = (name: string, full: string, os: object = {}) => ({ os: { name, release: { full }, ...os } })
  const playbook = (name: string, version: string) => ({
    _type: 'ansible',
    ansible_facts: { ansible_distribution: name, ansible_distribution_version: version },
  })

  test.each<[object, object]>([
    [release('Archlinux', '3.13.6-1-ARCH'), { major: '1', minor: '0', family: 'Archlinux' }],
    [release('FreeBSD', '11.2-RELEASE-p4'), { major: '11', minor: '2', family: 'Freebsd', title: 'FreeBSD 11.2' }],
    [release('JUNOS', '12.3R6.6'), { major: '12', minor: '3.6.6', family: 'Junos' }],
    [release('CentOS', '7.9.2009'), { major: '7', minor: '9.2009', family: 'Redhat' }],
    [release('CentOS', '9'), { name: 'CentOS_Stream', major: '9', minor: '' }],
    [
      { ...release('windows', '2019'), kernelrelease: '10.0.17763' },
      { major: '10', minor: '0.17763', family: 'Windows' },
    ],
    [
      release('Debian', 'trixie/sid', { distro: { codename: 'trixie', description: 'Debian GNU/Linux trixie/sid' } }),
      { major: '13', minor: '', release_name: 'trixie', title: 'Debian trixie/sid' },
    ],
    [release('Debian', 'testing/unstable'), { major: '13', minor: '' }],
    [release('AIX', '7100-04-02-1614'), { major: '7100', minor: '0402', title: 'AIX 7100.0402', family: 'AIX' }],
    [
      { operatingsystem: 'Solaris', operatingsystemrelease: '10_u8' },
      { major: '10', minor: '8', family: 'Solaris' },
    ],
    [release('Ubuntu', '20.04'), { major: '20.04', minor: '', family: 'Debian', title: 'Ubuntu 20.04' }],
    [
      release('RedHat', '8.9', {
        distro: { description: 'Red Hat Enterprise Linux release 8.9 (Ootpa)', codename: 'Ootpa' },
      }),
      { title: 'RHEL 8.9', description: 'RHEL 8.9', release_name: null },
    ],
    [release('SLES', '15.4'), { title: 'SLES 15 SP4', family: 'Suse' }],
    [playbook('openSUSE Leap', '15.5'), { name: 'openSUSELeap', major: '15', minor: '5', family: 'Suse' }],
    [release('openSUSE', '20240115'), { major: '2024', minor: '0115' }],
    [
      {
        kernel: 'Linux',
        operatingsystem: 'Amazon',
        operatingsystemrelease: '4.14.154-128.amzn2.x86_64',
        kernelrelease: '4.14.154-128.amzn2.x86_64',
      },
      { name: 'Amazon', major: '2', minor: '' },
    ],
    [release('Odd', '1.2.3.4.5.6.7.8.9.10'), { major: '1', minor: '2.3.4.5.6.7.8.9' }],
  ])('is read from its full release (%#)', async (facts, system) => {
    expect(await systemOf(facts)).toMatchObject(system)
  })

  test('is not known without a number, and the upload is taken', async () => {
    for (const full of ['rolling', '1234567']) {
      const { id } = await hostWith(release('Odd', full))
      expect(await show(id)).toMatchObject({ operatingsystem_id: null })
    }
  })

  test('and the architecture of Solaris is the set of instructions', async () => {
    const facts = {
      operatingsystem: 'Solaris',
      operatingsystemrelease: '11.4',
      architecture: 'sun4v',
      hardwareisa: 'sparc',
    }
    expect(await show((await hostWith(facts)).id)).toMatchObject({ architecture_name: 'sparc' })
  })

  test('is a record that is called like it, and no second one', async () => {
    const described = { name: 'Mine', major: '1', description: 'Titled 7.1' }
    const titled = await expectCreated(api.admin.post('/api/operatingsystems', described))
    expect(await systemOf(release('Titled', '7.1'))).toMatchObject({ id: titled.id })
    // As facts have made it before.
    const former = await expectCreated(
      api.admin.post('/api/operatingsystems', { name: 'Ubuntu', major: '24', minor: '04' }),
    )
    const facts = release('Ubuntu', '24.04', { distro: { description: 'Ubuntu 24.04.1 LTS', codename: 'noble' } })
    expect(await systemOf(facts)).toMatchObject({ id: former.id, title: 'Ubuntu 24.04' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(newName(), release('AtOnce', '1.2'))))
    const made = new Set(answers.map(({ status, body }) => [status, body.operatingsystem_id].join()))
    expect([...made]).toEqual([expect.stringMatching(/^201,\d+$/)])
  })

  test('of a managed host stays that which it was installed with, unless a setting says otherwise', async () => {
    const installed = await managedHost(api.admin)
    const host = { ...installed, name: newName(), organization_id: 1, location_id: 1, mac: '52:54:00:00:00:78' }
    const { id, name, operatingsystem_id: first } = await expectCreated(api.admin.post('/api/hosts', { host }))
    const facts = { ...release('Upgraded', '2.0'), dmi: { product: { name: 'Told' } } }
    await expectCreated(upload(name, facts))
    expect(await show(id)).toMatchObject({ operatingsystem_id: first, model_name: 'Told' })
    expect((await api.admin.get('/api/operatingsystems?search=name+%3D+Upgraded')).body.subtotal).toBe(0)
    await set('update_operatingsystem_of_managed_hosts', true)
    await expectCreated(upload(name, facts))
    expect(await show(id)).toMatchObject({ operatingsystem_name: 'Upgraded 2.0' })
    await set('update_operatingsystem_of_managed_hosts', false)
  })
})

describe('what an upload may say', () => {
  test('values become text; lists JSON; nothing is left of what has no value', async () => {
    const { id } = await hostWith({
      ...STRUCTURED,
      _private: 'x',
      '': 'x',
      ['__proto__' as string]: 'p',
      constructor: 'c',
      'with space': 'ü 🦊',
    })
    expect(await factsOf(id)).toMatchObject({
      processors: null,
      'processors::count': '4',
      'processors::models': '["a","b"]',
      load: '0.5',
      trusted: 'true',
      'with space': 'ü 🦊',
      constructor: 'c',
    })
    const names = Object.keys((await factsOf(id)) as object)
    for (const name of ['nothing', '_private', '']) expect(names).not.toContain(name)
  })

  test.each([
    [{ name: ' ', facts: { a: 1 } }, { name: ["can't be blank"] }],
    [{ name: 'a\0b', facts: { a: 1 } }, { name: ['must be Unicode text without the NUL character'] }],
    [{ facts: { a: 1 } }, { name: ["can't be blank"] }],
    [{ name: ['x'], facts: { a: 1 } }, { name: ['must be text'] }],
    [
      { name: 'x.test', facts: { a: 1 }, type: 'Host::Invalid' },
      { type: ['is not included in the list (Host::Managed, Host::Base, Host)'] },
    ],
    [{ name: 'x.test' }, { facts: ['must be an object of facts'] }],
    [{ name: 'x.test', facts: [1] }, { facts: ['must be an object of facts'] }],
    [{ name: 'x.test', facts: 'text' }, { facts: ['must be an object of facts'] }],
    [{ name: 'not a host', facts: { a: 1 } }, { name: [expect.stringMatching(/^is not a host name/)] }],
    [{ name: '-; rm -rf', facts: { a: 1 } }, { name: [expect.stringMatching(/^is not a host name/)] }],
  ])('is refused with a reason (%#)', async (body, errors) => {
    const answer = await api.admin.post('/api/hosts/facts', body)
    expect([answer.status, answer.body.error.errors]).toEqual([422, errors])
    expect((await api.admin.get('/api/hosts/x.test')).status).toBe(404)
  })

  const nested = (depth: number): object => (depth === 0 ? { leaf: 1 } : { in: nested(depth - 1) })
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]))
  test.each([
    [nested(20), 'are nested deeper than 20 levels: in::in'],
    [{ long: 'x'.repeat(65_536) }, 'have a value longer than 65535 characters: long'],
    [{ ['x'.repeat(2001)]: 1 }, 'have a name longer than 2000 characters: xxx'],
    [{ nul: 'a\0b' }, 'have a value that is not Unicode text without the NUL character: nul'],
    [{ half: '\ud800' }, 'have a value that is not Unicode text without the NUL character: half'],
    [{ ['a\0']: { b: 1 } }, 'have a name that is not Unicode text without the NUL character: a'],
    [many(10_001), 'are more than 10000, those that hold others included'],
  ])('is taken without what cannot be kept, and the answer says so (%#)', async (facts, said) => {
    const name = newName()
    const { status, headers, body } = await upload(name, { kept: 1, ...facts })
    expect([status, headers['millwright-left-out']]).toEqual([201, expect.stringContaining(said)])
    expect(await factsOf(body.id)).toMatchObject({ kept: '1' })
    const alone = Object.keys(facts).length === 1 && !('in' in facts) ? await upload(newName(), facts) : null
    if (alone) expect([alone.status, alone.body.error.errors.facts]).toEqual([422, [expect.stringContaining(said)]])
  })

  test('10,000 facts at once are taken', async () => {
    const { id } = await hostWith(many(10_000))
    expect((await api.admin.get(`/api/hosts/${id}/facts?per_page=1`)).body.total).toBe(10_000)
  })

  test('numbers keep all of their digits', async () => {
    const name = newName()
    const text = `{"name": "${name}", "facts": {"big": 9007199254740993, "release": 22.10, "list": [1.0, 12345678901234567890]}}`
    const { status, body } = await api.admin.send({
      method: 'POST',
      url: '/api/hosts/facts',
      headers: { 'content-type': 'application/json' },
      payload: text,
    })
    expect(status).toBe(201)
    expect(await factsOf(body.id)).toEqual({
      big: '9007199254740993',
      release: '22.10',
      list: '[1.0,12345678901234567890]',
    })
  })

  test('new names come from several hosts at once', async () => {
    const facts = (seed: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`race${(n * 7 + seed) % 50}`, seed]))
    const answers = await Promise.all(Array.from({ length: 6 }, (_, seed) => upload(newName(), facts(seed))))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    expect((await api.admin.get('/api/hosts?search=has+facts.race7')).body.subtotal).toBe(6)
  })

  test('needs upload_facts', async () => {
    const { status, body } = await upload(
      newName(),
      { a: 1 },
      {},
      await api.can(['view_facts', 'create_hosts', 'edit_hosts']),
    )
    expect([status, body.error.missing_permissions]).toEqual([403, ['upload_facts']])
  })
})
