import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { REPORTERS } from '../../src/words/protocols.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Reports of agents, and the states of hosts that follow from them (docs/decisions/0026-config-reports.md).

const [ENGINE, PLAYBOOK] = REPORTERS

let api: TestApi
let host: Shown
const HERE = { organization_ids: [1], location_ids: [1] }

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1', MILLWRIGHT_VENDOR_PORT: '0' } })
})
beforeEach(async () => {
  host = await newHost()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const newHost = (overrides: object = {}) =>
  given(api.admin, 'host', {
    ...{ name: `${unique('host')}.example.test`, organization_id: 1, location_id: 1, managed: false },
    ...overrides,
  })

const NONE = { applied: 0, restarted: 0, failed: 0, failed_restarts: 0, skipped: 0, pending: 0 }
const line = (source: string, message: string, level = 'notice') => ({
  log: { sources: { source }, messages: { message }, level },
})
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Builds a report as the script of an agent sends it. */
const reportOf = (of: Shown, overrides: object = {}) => ({
  config_report: {
    ...{ host: of.name, reported_at: ago(1), status: NONE, reporter: ENGINE?.reporter, report_format: 12 },
    metrics: { resources: { total: 7 }, time: { total: 1.25, config_retrieval: 0.5 } },
    logs: [line('Engine', 'Applied catalog in 1.25 seconds'), line('//Node[a]/File[/x]', 'changed\0 it', 'err')],
    ...overrides,
  },
})
const send = (body: unknown, caller: Caller = api.admin, headers = {}) =>
  caller.post('/api/config_reports', body, headers)
const shown = async (of: Shown) => (await api.admin.get(`/api/hosts/${of.id}`)).body
const found = async (search: string, path = '/api/hosts') =>
  (await api.admin.get(`${path}?search=${encodeURIComponent(search)}`)).body

describe('a report', () => {
  test('is stored, shown, listed below its host and as the last one, and deleted', async () => {
    const sent = reportOf(host, { status: { applied: 2, skipped: '3' } })
    const { status, body } = await send(sent)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ host_id: host.id, host_name: host.name, origin: 'Config', summary: 'Modified' },
      status: { ...NONE, applied: 2, skipped: 3 },
      metrics: sent.config_report.metrics,
      logs: [
        { source: { source: 'Engine' }, message: { message: 'Applied catalog in 1.25 seconds' }, level: 'notice' },
        { source: { source: '//Node[a]/File[/x]' }, message: { message: 'changed it' }, level: 'err' },
      ],
    })
    const older = (await send(reportOf(host, { reported_at: ago(90), logs: [] }))).body
    expect((await api.admin.get(`/api/hosts/${host.name}/config_reports/last`)).body).toEqual(body)
    expect((await api.admin.get(`/api/config_reports/${body.id}`)).body).toEqual(body)
    const { results } = (await api.admin.get(`/api/hosts/${host.id}/config_reports`)).body
    expect(results.map(({ id }: Shown) => id)).toEqual([body.id, older.id])
    expect(results[0]).not.toHaveProperty('logs')
    const below = await api.admin.post(`/api/hosts/${(await given(api.admin, 'host')).id}/config_reports`, sent)
    expect([below.status, below.body.error.errors]).toEqual([422, { host: ['must be the host of the path'] }])
    expect((await api.admin.delete(`/api/config_reports/${body.id}`)).status).toBe(200)
    expect((await api.admin.get(`/api/hosts/${host.id}/config_reports/last`)).body.id).toBe(older.id)
    expect((await shown(host)).configuration_status_label).toBe('Active')
  })

  test('finds its host by the name of the certificate, and says for existing clients where it comes from', async () => {
    const certified = await newHost({ certname: unique('cert') })
    const { body } = await send(
      reportOf(certified, { host: certified.certname.toUpperCase(), reporter: PLAYBOOK?.reporter }),
    )
    expect(body).toMatchObject({ host_id: certified.id, origin: 'Playbook' })
    const vendor = api.asVendor({ authorization: `Basic ${btoa('admin:admin-password')}` })
    expect((await vendor.get(`/api/config_reports/${body.id}`)).body).toMatchObject({ origin: 'Ansible' })
    expect((await vendor.get('/api/hosts?search=origin=Ansible')).body.results).toMatchObject([{ id: certified.id }])
  })

  test('costs few statements, and texts that are known are stored once', async () => {
    const texts = async () =>
      (await sql<{ n: number }>`select count(*)::integer as n from report_texts`.execute(api.database.db)).rows[0]?.n
    await send(reportOf(host))
    const before = await texts()
    const { count } = await api.counting(() => send(reportOf(host)))
    expect(count).toBeLessThanOrEqual(8)
    expect(await texts()).toBe(before)
  })

  test.each([
    ['no host', { host: undefined }, { host: ["can't be blank"] }],
    [
      'a time that is none',
      { reported_at: 'soon' },
      { reported_at: ['must be a date and time such as 2026-03-31T14:25:36Z'] },
    ],
    ['no time', { reported_at: undefined }, { reported_at: ["can't be blank"] }],
    ['a time in the future', { reported_at: '2100-01-01T00:00:00Z' }, { reported_at: ['must not be in the future'] }],
    [
      'no counts',
      { status: 'changed' },
      { status: ['must be an object with counts: applied, restarted, failed, failed_restarts, skipped, pending'] },
    ],
    [
      'an unknown count',
      { status: { broken: 1 } },
      {
        status: [
          'has a count that is not known, "broken": applied, restarted, failed, failed_restarts, skipped, pending are',
        ],
      },
    ],
    ['a count that is none', { status: { failed: -1 } }, { failed: ['must be greater than or equal to 0'] }],
    ['metrics that are none', { metrics: [] }, { metrics: ['must be an object'] }],
    [
      'metrics that cannot be stored',
      { metrics: { 'a\0': 1 } },
      { metrics: ['must be Unicode text without the NUL character'] },
    ],
    ['a log that is none', { logs: 'all' }, { logs: ['must be a list'] }],
    [
      'a line that is none',
      { logs: [line('a', 'b', 'loud')] },
      { logs: [expect.stringMatching(/^cannot be read in line 1: .*log\.level/)] },
    ],
  ])('with %s is refused, field by field', async (_what, overrides, errors) => {
    const answer = await send(reportOf(host, overrides))
    expect(answer).toMatchObject({ status: 422, body: { error: { errors } } })
  })

  test('of a host that there is not is 404', async () => {
    expect(await send(reportOf(host, { host: 'nowhere.example.test' }))).toMatchObject({
      ...{ status: 404, body: { message: "Host not found by id 'nowhere.example.test'" } },
    })
  })

  test('is found by what it says', async () => {
    const { body } = await send(
      reportOf(host, { status: { failed: 4 }, logs: [line('Exec[odd thing]', 'it is 100% broken')] }),
    )
    for (const search of [
      `host = ${host.name}`,
      'failed = 4 and eventful = true',
      'log ~ "100% BROKEN"',
      'resource = "Exec[odd thing]"',
      'reported > "5 minutes ago" and failed > 3',
      'organization = "Default Organization" and failed = 4',
    ])
      expect((await found(search, '/api/config_reports')).results).toMatchObject([{ id: body.id }])
    expect((await found('log ~ "no such text"', '/api/config_reports')).subtotal).toBe(0)
    expect((await found('log != a', '/api/config_reports')).error.message).toContain('must be = or ~')
    await api.admin.delete(`/api/config_reports/${body.id}`)
  })
})

describe('who may', () => {
  test('each permission is for one thing; reports of hosts of others look unknown', async () => {
    const { body } = await send(reportOf(host))
    const uploading = await api.can(['upload_config_reports'], HERE)
    expect((await send(reportOf(host), uploading)).status).toBe(201)
    expect((await uploading.get(`/api/config_reports/${body.id}`)).status).toBe(403)
    const viewing = await api.can(['view_config_reports', 'view_hosts'], HERE)
    expect((await viewing.get(`/api/config_reports/${body.id}`)).status).toBe(200)
    expect((await send(reportOf(host), viewing)).status).toBe(403)
    expect((await viewing.delete(`/api/config_reports/${body.id}`)).status).toBe(403)
    const elsewhere = await api.can(['view_config_reports', 'view_hosts', 'upload_config_reports'])
    expect((await elsewhere.get(`/api/config_reports/${body.id}`)).status).toBe(404)
    expect((await elsewhere.get('/api/config_reports')).body.total).toBe(0)
    expect((await send(reportOf(host), elsewhere)).status).toBe(404)
  })

  test('a smart proxy uploads reports of the hosts where it is', async () => {
    const url = `https://${unique('proxy')}.example.test:8443`
    const proxy = await given(api.admin, 'smart_proxy', { url, ...HERE })
    await sql`with made as (insert into features (name) values ('Config') on conflict (name) do update set name = excluded.name returning id)
      insert into smart_proxy_features (smart_proxy_id, feature_id) select ${proxy.id}, id from made`.execute(
      api.database.db,
    )
    const certified = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: `CN=${new URL(url).hostname}` }
    expect((await send(reportOf(host), api.nobody, certified)).status).toBe(201)
    const organization = await given(api.admin, 'organization')
    expect(
      (await send(reportOf(await newHost({ organization_id: organization.id })), api.nobody, certified)).status,
    ).toBe(404)
    expect((await send(reportOf(host), api.nobody)).status).toBe(401)
  })
})

describe('the state of a host', () => {
  const stateOf = async (of: Shown, type: string) => (await api.admin.get(`/api/hosts/${of.id}/status/${type}`)).body

  test.each([
    ['nothing', null, {}, 0, 'No reports', 0],
    ['nothing to do', {}, {}, 0, 'No changes', 0],
    ['changes', { status: { applied: 1 } }, {}, 1, 'Active', 0],
    ['what was not to be done', { status: { pending: 1 } }, {}, 2 ** 30, 'Pending', 0],
    ['failures', { status: { failed: 70 } }, {}, 63 * 2 ** 12, 'Error', 2],
    ['nothing for too long', { reported_at: ago(90) }, {}, 0, 'Out of sync', 1],
    [
      'nothing for long, but not of an agent',
      { reported_at: ago(62), reporter: PLAYBOOK?.reporter },
      {},
      0,
      'Out of sync',
      1,
    ],
    ['nothing for less long than that', { reported_at: ago(62) }, {}, 0, 'No changes', 0],
    [
      'nothing for too long, and nobody wants to know',
      { reported_at: ago(90) },
      { enabled: false },
      0,
      'Alerts disabled',
      0,
    ],
  ])('after %s', async (_what, report, keys, status, label, whole) => {
    const of = await newHost(keys)
    if (report) await send(reportOf(of, { logs: [], ...report }))
    expect(await stateOf(of, 'configuration')).toEqual({ status, status_label: label })
    expect(await stateOf(of, 'global')).toMatchObject({ status: whole })
    expect(await shown(of)).toMatchObject({ configuration_status_label: label, global_status: whole })
    const word = ['ok', 'warning', 'error'][whole]
    expect((await found(`global_status = ${word} and name = ${of.name}`)).results).toHaveLength(1)
  })

  test('follows the newest report, whatever comes later, and the clock by the settings', async () => {
    await send(reportOf(host, { status: { failed: 1 }, reported_at: ago(40) }))
    await send(reportOf(host, { status: NONE, reported_at: ago(50) }))
    expect((await shown(host)).configuration_status_label).toBe('Error')
    await send(reportOf(host, { status: NONE, reported_at: ago(30) }))
    expect((await shown(host)).configuration_status_label).toBe('No changes')
    for (const [name, value] of [
      ['outofsync_interval', 1],
      ['config_interval', 20],
    ])
      await api.admin.put(`/api/settings/${name}`, { value })
    expect((await shown(host)).configuration_status_label).toBe('Out of sync')
    await api.admin.put('/api/settings/config_out_of_sync_disabled', { value: true })
    expect((await shown(host)).configuration_status_label).toBe('No changes')
    for (const [name, value] of [
      ['outofsync_interval', 30],
      ['config_interval', 35],
      ['config_out_of_sync_disabled', false],
    ])
      await api.admin.put(`/api/settings/${name}`, { value })
  })

  test('of its installation', async () => {
    const of = await newHost({ build: true })
    expect(await stateOf(of, 'build')).toEqual({ status: 1, status_label: 'Pending installation' })
    await sql`update build_tokens set expires_at = now() - interval '1 hour' where host_id = ${of.id}`.execute(
      api.database.db,
    )
    expect(await stateOf(of, 'build')).toEqual({ status: 2, status_label: 'Token expired' })
    expect(await shown(of)).toMatchObject({ build_status: 2, global_status: 2, global_status_label: 'Error' })
    expect((await found('build_status = token_expired')).results).toMatchObject([{ id: of.id }])
    expect((await api.admin.delete(`/api/hosts/${of.id}/status/build`)).body.status_label).toBe('Pending installation')
    await sql`update hosts set build = false, build_errors = 'no disk' where id = ${of.id}`.execute(api.database.db)
    expect(await stateOf(of, 'build')).toEqual({ status: 3, status_label: 'Installation error' })
    expect((await api.admin.delete(`/api/hosts/${of.id}/status/build`)).body).toEqual({
      status: 0,
      status_label: 'Installed',
    })
  })

  test('is cleared by who may, until something new is told', async () => {
    await send(reportOf(host, { status: { failed: 1 } }))
    const viewing = await api.can(['view_hosts'], HERE)
    expect((await viewing.delete(`/api/hosts/${host.id}/status/configuration`)).status).toBe(403)
    const forgetting = await api.can(['view_hosts', 'forget_status_hosts'], HERE)
    expect((await forgetting.delete(`/api/hosts/${host.id}/status/configuration`)).body.status_label).toBe('No reports')
    expect(await shown(host)).toMatchObject({ global_status: 0, configuration_status_label: 'No reports' })
    await send(reportOf(host, { status: { failed: 1 } }))
    expect((await shown(host)).global_status).toBe(2)
    const whole = await api.admin.delete(`/api/hosts/${host.id}/status/global`)
    expect(whole).toMatchObject({
      status: 422,
      body: { error: { full_messages: ['The global status is made of others and cannot be cleared'] } },
    })
  })

  test('has other words at the second port; a word that is none is refused', async () => {
    expect(await stateOf(host, 'HostStatus::Global')).toEqual({ status: 0, status_label: 'OK' })
    expect(await stateOf(host, 'subscription')).toEqual({ status: null, status_label: null })
    const answer = await api.admin.get(`/api/hosts/${host.id}/status/mood`)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          parameter_name: 'type',
          message: expect.stringContaining('must be one of configuration, build, subscription, global'),
        },
      },
    })
  })

  test('is searched for by the counts of the newest report', async () => {
    await send(reportOf(host, { status: { failed: 5, restarted: 2 } }))
    for (const search of ['status.failed = 5', 'status.restarted > 1 and status.interesting = true'])
      expect((await found(`${search} and name = ${host.name}`)).results).toMatchObject([{ id: host.id }])
    expect((await found(`status.failed = 4 and name = ${host.name}`)).subtotal).toBe(0)
  })
})

test('old reports are deleted by the clock, with texts that nobody has any more; what they said of a host stays', async () => {
  const { body } = await send(reportOf(host, { logs: [line('gone', unique('text'))], status: { failed: 1 } }))
  await sql`update config_reports set created_at = now() - interval '8 days' where id = ${body.id}`.execute(
    api.database.db,
  )
  await sql`update report_texts set used_on = current_date - 10 where value = 'gone'`.execute(api.database.db)
  await api.jobs.find(({ name }) => name === 'delete_old_config_reports')?.work(new AbortController().signal)
  expect((await api.admin.get(`/api/config_reports/${body.id}`)).status).toBe(404)
  const left = await sql`select from report_texts where value = 'gone'`.execute(api.database.db)
  expect(left.rows).toEqual([])
  expect((await shown(host)).configuration_status_label).toBe('Error')
})
