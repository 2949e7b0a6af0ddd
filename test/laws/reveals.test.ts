import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Who sees hidden values needs permissions of their own, and audits say who, what, when and why (docs/decisions/0066-revealing.md).

let api: TestApi
let world: NodeWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await nodeWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const SECRET = 'a-secret-to-reveal'
const hide = (name = unique('key')) => ({ name, value: SECRET, hidden_value: true })

/** Lists the reveals of a record, the newest first. */
async function revealsOf(type: string, id: unknown): Promise<readonly Shown[]> {
  const search = encodeURIComponent(`type = ${type} and auditable_id = ${id} and action = reveal`)
  const { body, text } = await api.admin.get(`/api/audits?search=${search}`)
  expect(text).not.toContain(SECRET)
  return body.results
}

async function newClassParameter() {
  const configclass = await world.plain()
  const parameter = await world.parameter({ configclass, value: `"${SECRET}"`, columns: { hidden_value: true } })
  await world.override(parameter, 'os=Any', `${SECRET}-2`)
  return { configclass, parameter, path: `/api/smart_class_parameters/${parameter.id}` }
}

test('a reveal is audited with its reason and never its value, and shows in histories and events', async () => {
  const { id } = await given(api.admin, 'common_parameter', hide())
  const path = `/api/common_parameters/${id}`
  const revealer = await api.can(['view_params', 'reveal_params'])
  expect((await revealer.get(path)).body.value).toBe('*****')
  expect(await revealsOf('parameter', id)).toEqual([])
  const reason = 'Störung 4711: login fails'
  const seen = await revealer.get(`${path}?show_hidden=true&reason=${encodeURIComponent(reason)}`)
  expect(seen.body.value).toBe(SECRET)
  expect(await revealsOf('parameter', id)).toMatchObject([
    { action: 'reveal', comment: reason, user_login: revealer.login, audited_changes: {}, auditable_id: id },
  ])
  const { body: history } = await api.admin.get(`${path}/history`)
  expect(history.results[0]).toMatchObject({ action: 'reveal', user: revealer.login, comment: reason, changes: {} })
  const { body: events, text } = await api.admin.get('/api/events?types=parameter.revealed')
  expect(events.results.at(-1)).toMatchObject({
    type: 'parameter.revealed',
    data: { record: { id }, comment: reason, changes: {}, user: { login: revealer.login } },
  })
  expect(text).not.toContain(SECRET)
  const refused = await api.admin.post(`/api/audits/${history.results[0].audit_id}/revert`)
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('nothing was changed')])
  // A change before a reveal can be taken back, and as_of knows no change by it.
  const past = await api.admin.get(`${path}?as_of=${new Date().toISOString()}`)
  expect([past.status, past.body.name]).toEqual([200, seen.body.name])
})

test('without a reason one audit an hour suffices; with one, each reveal has its own', async () => {
  const { id } = await given(api.admin, 'common_parameter', hide())
  const read = (more = '') => api.admin.get(`/api/common_parameters/${id}?show_hidden=true${more}`)
  for (let count = 0; count < 3; count++) expect((await read()).body.value).toBe(SECRET)
  expect(await revealsOf('parameter', id)).toMatchObject([{ comment: null }])
  for (let count = 0; count < 2; count++) await read('&reason=again')
  expect(await revealsOf('parameter', id)).toHaveLength(3)
  const header = { 'millwright-reason': Buffer.from('Prüfung').toString('latin1') }
  const told = await api.admin.send({
    method: 'GET',
    url: `/api/common_parameters/${id}?show_hidden=true`,
    headers: header,
  })
  expect([told.body.value, (await revealsOf('parameter', id))[0]?.comment]).toEqual([SECRET, 'Prüfung'])
  expect((await read(`&reason=${'x'.repeat(1001)}`)).status).toBe(400)
  expect(await revealsOf('parameter', id)).toHaveLength(4)
})

test('each way to a hidden value audits it', async () => {
  const { configclass, parameter, path } = await newClassParameter()
  const group = await given(api.admin, 'hostgroup', { group_parameters_attributes: [hide('of_group')] })
  const host = await world.host({
    hostgroup_id: group.id,
    configclass_ids: [configclass.id],
    root_pass: 'a long password',
  })
  const [own] = (await api.admin.get(`/api/hostgroups/${group.id}/parameters`)).body.results
  const ways: readonly (readonly [url: string, type: string, id: unknown])[] = [
    [`${path}?show_hidden=true`, 'smart_class_parameter', parameter.id],
    [`${path}/override_values?show_hidden=true`, 'smart_class_parameter', parameter.id],
    [`${path}/explain?host_id=${host.id}&show_hidden=true`, 'smart_class_parameter', parameter.id],
    [`/api/hosts/${host.id}?show_hidden_parameters=true`, 'parameter', own.id],
    [`/api/hostgroups/${group.id}/parameters/${own.id}?show_hidden=true`, 'parameter', own.id],
    [`/api/hosts/${host.id}/enc?a=b`, 'host', host.id],
    [`/node/${host.name}?format=json`, 'host', host.id],
    [`/api/playbook_inventories/hosts?host_ids=${host.id}`, 'host', host.id],
  ]
  for (const [url, type, id] of ways) {
    const before = (await revealsOf(type, id)).length
    const { text } = await api.admin.get(`${url}&reason=${encodeURIComponent(`for ${url}`)}`)
    expect(text, url).toContain(SECRET)
    expect((await revealsOf(type, id)).slice(0, -before || undefined), url).toMatchObject([{ comment: `for ${url}` }])
  }
  // A preview is undone, but not that somebody saw the value.
  const before = (await revealsOf('smart_class_parameter', parameter.id)).length
  const previewed = await api.admin.put(`${path}?preview=true&show_hidden=true&reason=preview`, {
    smart_class_parameter: { default_value: `${SECRET}-3` },
  })
  expect(previewed.text).toContain(`${SECRET}-3`)
  const after = await revealsOf('smart_class_parameter', parameter.id)
  expect([after.length > before, after[0]?.comment]).toEqual([true, 'preview'])
  // Neither does a batch undo it that stores nothing: one with a refused write, or a dry run.
  const refused = { method: 'POST', path: '/api/models', body: { model: { name: '' } } }
  for (const [reason, more] of [
    ['refused', {}],
    ['dry', { dry_run: true }],
  ] as const) {
    const preview = {
      method: 'PUT',
      path: `${path}?preview=true&show_hidden=true&reason=${reason}`,
      body: { smart_class_parameter: { default_value: `${SECRET}-4` } },
    }
    const { text } = await api.admin.post('/api/batch', { operations: [preview, refused], ...more })
    expect(text, reason).toContain(`${SECRET}-4`)
    expect((await revealsOf('smart_class_parameter', parameter.id))[0], reason).toMatchObject({ comment: reason })
  }
})

test('who may edit hidden values, but not reveal them, cannot find them out', async () => {
  const { id } = await given(api.admin, 'common_parameter', hide())
  const { path } = await newClassParameter()
  const verbs = ['view', 'create', 'edit', 'destroy']
  const editor = await api.can(
    ['params', 'external_parameters'].flatMap((word) => verbs.map((verb) => `${verb}_${word}`)),
  )
  const write = (url: string, word: string, values: object) => editor.put(`${url}?show_hidden=true`, { [word]: values })
  const common = `/api/common_parameters/${id}`
  for (const answer of [
    await write(common, 'common_parameter', { hidden_value: false }),
    await write(path, 'smart_class_parameter', { hidden_value: false }),
    await write(path, 'smart_class_parameter', { hidden_value: false, default_value: 'new' }),
    await write(path, 'smart_class_parameter', { validator_type: 'regexp', validator_rule: '^a' }),
    await write(path, 'smart_class_parameter', { parameter_type: 'integer' }),
  ]) {
    expect(answer.body.error.missing_permissions).toEqual([expect.stringMatching(/^reveal_/)])
    expect(answer.text).not.toContain(SECRET)
  }
  for (const url of [common, path, `${path}/override_values`])
    expect((await editor.get(`${url}?show_hidden=true`)).text).not.toContain(SECRET)
  expect(await revealsOf('parameter', id)).toEqual([])
  const replaced = await write(common, 'common_parameter', { hidden_value: false, value: 'new' })
  expect([replaced.status, replaced.body.value]).toEqual([200, 'new'])
  const shown = await given(api.admin, 'common_parameter', hide())
  await api.admin.put(`/api/common_parameters/${shown.id}?reason=public`, { common_parameter: { hidden_value: false } })
  expect(await revealsOf('parameter', shown.id)).toMatchObject([{ comment: 'public' }])
})

test('a setting requires a reason, of users only', async () => {
  const { id } = await given(api.admin, 'common_parameter', hide())
  const host = await world.host({ root_pass: 'a long password', host_parameters_attributes: [hide('own')] })
  await api.admin.put('/api/settings/reveal_reason_required', { setting: { value: true } })
  const urls = [`/api/common_parameters/${id}?show_hidden=true`, `/api/hosts/${host.id}/enc?`]
  for (const url of urls) {
    const refused = await api.admin.get(url)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('with a reason only')])
    expect((await api.admin.get(`${url}&reason=test`)).text).toContain(SECRET)
  }
  expect((await api.admin.get(`/api/common_parameters/${id}`)).body.value).toBe('*****')
  const viewer = await api.can(['view_params'])
  expect((await viewer.get(`/api/common_parameters/${id}?show_hidden=true`)).body.value).toBe('*****')
  await api.admin.put('/api/settings/restrict_registered_smart_proxies', { setting: { value: false } })
  expect((await api.as({}).get(`/node/${host.name}?format=json`)).status).toBe(200)
  await api.admin.put('/api/settings/restrict_registered_smart_proxies', { setting: { value: true } })
  await api.admin.put('/api/settings/reveal_reason_required', { setting: { value: false } })
})

test('a session needs a fresh proof of the second factor, and to ask', async () => {
  const login = unique('owner')
  const { id } = await given(api.admin, 'user', { login, password: 'a long password', admin: true })
  const host = await world.host({ host_parameters_attributes: [hide('own')] })
  const byPassword = api.as({ authorization: basic(login, 'a long password') })
  const factors = `/api/users/${id}/second_factors`
  const { secret, id: factor } = await expectCreated(byPassword.post(factors, { kind: 'totp' }))
  await byPassword.put(`${factors}/${factor}/confirm`, { code: new TOTP({ secret }).generate() })
  await sql`update second_factors set last_step = 0 where id = ${factor}`.execute(api.database.db)
  const begun = await byPassword.post('/api/session', { code: new TOTP({ secret }).generate() })
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  const browser: Caller = api.as({ cookie, 'x-csrf-token': begun.body.csrf_token })
  const path = `/api/hosts/${host.id}`
  expect((await browser.get(`${path}/enc`)).body.data.parameters.own).toBe('*****')
  for (const url of [path, `${path}/enc`]) expect((await browser.get(`${url}?show_hidden=true`)).text).toContain(SECRET)
  await sql`update session_factors set proven_at = now() - interval '16 minutes'`.execute(api.database.db)
  for (const url of [path, `${path}/enc`]) {
    const { status, text } = await browser.get(`${url}?show_hidden=true`)
    expect([status, text]).toEqual([403, expect.stringContaining('Prove your second factor again first')])
    expect((await browser.get(url)).status).toBe(200)
  }
})
