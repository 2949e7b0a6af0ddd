import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { KEYS_PARAMETER, SUBSCRIPTION_CLIENT } from '../../src/words/protocols.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'
import { execFile } from '../support/processes.ts'
import { clientBody, newKey, newSite, register, type Site } from './clients.ts'

// Content-api §5.1: the command, the script it fetches, and what the script reports.

let api: TestApi
let address: string
let site: Site
let folder: string

beforeAll(async () => {
  api = await openTestApi()
  address = await api.listen()
  site = await newSite(api)
  await newKey(api, site, "it's")
  folder = mkdtempSync(join(tmpdir(), 'command-'))
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const order = (sent: object, caller: Caller = api.admin) =>
  caller.post(
    '/api/registration_commands',
    { registration_command: { organization_id: site.id, ...sent } },
    hostHeader(),
  )
const hostHeader = () => ({ host: new URL(address).host })
const parts = (command: string) => {
  const [, url = '', token = ''] = /'(http[^']*)' -H 'Authorization: Bearer ([^']*)'/.exec(command) ?? []
  return { url: new URL(url), as: api.as({ authorization: `Bearer ${token}`, ...hostHeader() }) }
}
const commandFor = async (sent: object, caller?: Caller) => {
  const { status, body, text } = await order(sent, caller)
  if (status !== 200) throw new Error(text)
  return parts(body.registration_command)
}

test('a command is made by who may register hosts, for keys that it names', async () => {
  expect(
    (await order({ activation_keys: ['a'] }, await api.can(['view_hosts'], { organization_ids: [site.id] }))).status,
  ).toBe(403)
  // Without keys the host is created without content; the organization must be known.
  const bare = await commandFor({})
  const script = await bare.as.get(bare.url.pathname + bare.url.search)
  expect([script.status, script.text]).toEqual([200, expect.stringContaining('"host[name]=$(hostname -f)"')])
  const created = await bare.as.post('/register', { host: { name: 'bare.example.test' } })
  expect([created.status, created.text]).toEqual([200, expect.stringContaining('bare.example.test')])
  expect((await api.admin.get('/api/hosts/bare.example.test')).body.organization_id).toBe(site.id)
  const unplaced = () => api.admin.post('/api/registration_commands', {}, hostHeader())
  expect(Object.keys((await unplaced()).body.error.errors)).toEqual(['organization_id'])
  const prefer = (id: number | null) => api.admin.put('/api/users/admin', { user: { default_organization_id: id } })
  await prefer(site.id)
  expect((await unplaced()).status).toBe(200)
  await prefer(null)
  const caller = await api.can(['register_hosts'], { organization_ids: [site.id], location_ids: [1] })
  const { body } = await order({ activation_keys: ['a', 'b'], force: 'true', insecure: true }, caller)
  expect(body.registration_command).toMatch(/^set -o pipefail && curl -sS --insecure '.*' \| bash$/)
  const { url } = parts(body.registration_command)
  expect([url.origin, url.pathname, url.searchParams.get('activation_keys')]).toEqual([address, '/register', 'a,b'])
  expect(url.searchParams.get('force')).toBe('true')
})

test.each([
  ['jwt_expiration', -1],
  ['jwt_expiration', 1_000_000],
  ['jwt_expiration', 'soon'],
  ['organization_id', 'x'],
  ['force', 'maybe'],
  ['packages', 'vim; reboot'],
  ['repo', 'http://x\nbaseurl=y'],
  ['activation_keys', [1]],
])('%s %j is refused by name', async (key, value) => {
  const { status, body } = await order({ activation_keys: ['a'], [key]: value })
  expect([status, Object.keys(body.error.errors)]).toEqual([422, [key]])
})

test('records that the caller may not see are not found', async () => {
  const foreign = await given(api.admin, 'hostgroup', { organization_ids: [] })
  const caller = await api.can(['register_hosts'], { organization_ids: [site.id], location_ids: [1] })
  const { status, body } = await order({ activation_keys: ['a'], lifecycle_environment_id: 99_999 }, caller)
  expect([status, body.displayMessage ?? body.error?.message ?? body.message]).toEqual([
    404,
    expect.stringContaining('99999'),
  ])
  expect((await order({ activation_keys: ['a'], hostgroup_id: 99_999 }, caller)).status).toBe(422)
  expect((await order({ activation_keys: ['a'], hostgroup_id: foreign.id })).status).toBe(200)
})

test('keys of the host group come first', async () => {
  const hostgroup = await given(api.admin, 'hostgroup', {
    organization_ids: [site.id],
    group_parameters_attributes: [{ name: KEYS_PARAMETER, value: 'group,both' }],
  })
  const { url, as } = await commandFor({ hostgroup_id: hostgroup.id, activation_keys: ['both', 'own'] })
  const { text } = await as.get(url.pathname + url.search)
  expect(text).toContain(`--activationkey='group,both,own'`)
})

test('a token counts as long as it should, and as its user does', async () => {
  const caller = await api.can(['register_hosts'], { organization_ids: [site.id], location_ids: [1] })
  const { url, as } = await commandFor({ activation_keys: ['a'], jwt_expiration: 1 }, caller)
  const path = url.pathname + url.search
  expect((await as.get(path)).status).toBe(200)
  for (const other of [api.nobody, api.admin, api.as({ authorization: `Bearer mwr_${'a'.repeat(43)}` })]) {
    const { status, text } = await other.get(path, hostHeader())
    expect([status, text]).toEqual([401, expect.stringMatching(/^echo 'ERROR: .*' >&2\nexit 1\n$/)])
  }
  await sql`update registration_tokens set expires_at = now() where user_id = ${caller.id}`.execute(api.database.db)
  expect((await as.get(path)).status).toBe(401)
  await api.jobs.find(({ name }) => name === 'forget_old_registrations')?.work(new AbortController().signal)
  const { rows } = await sql`select from registration_tokens where user_id = ${caller.id}`.execute(api.database.db)
  expect(rows).toEqual([])
  const later = await commandFor({ activation_keys: ['a'], jwt_expiration: 'unlimited' }, caller)
  await api.admin.put(`/api/users/${caller.id}`, { user: { role_ids: [] } })
  expect((await later.as.get(path)).status).toBe(403)
})

describe('registration tokens', () => {
  const places = () => ({ organization_ids: [site.id], location_ids: [1] })
  const tokensOf = async (caller: Caller, path = '/api/registration_tokens') => (await caller.get(path)).body

  test('are listed and revoked by who made them, and by who may edit that user', async () => {
    const [maker, other] = [await api.can(['register_hosts'], places()), await api.can(['register_hosts'], places())]
    const editor = await api.can(['edit_users', 'view_users'], places())
    const { url, as } = await commandFor({ activation_keys: ['a', 'b'], jwt_expiration: 1 }, maker)
    const path = url.pathname + url.search
    await commandFor({ activation_keys: ['a'] }, maker)
    expect((await as.get(path)).status).toBe(200)
    const own = await tokensOf(maker)
    expect(own).toMatchObject({
      ...{ total: 2, subtotal: 2, page: 1, search: null },
      results: [
        { user_login: maker.login, activation_keys: ['a'], uses: 0, last_used_at: null },
        { user_id: maker.id, organization_id: site.id, activation_keys: ['a', 'b'], uses: 1 },
      ],
    })
    expect(JSON.stringify(own)).not.toMatch(/mwr_|hash/)
    const [, { id }] = own.results
    expect((await tokensOf(editor, `/api/users/${maker.login}/registration_tokens`)).results).toEqual(own.results)
    expect((await tokensOf(maker, '/api/registration_tokens?per_page=1&page=2')).results).toEqual([own.results[1]])

    expect((await tokensOf(other)).results).toEqual([])
    expect((await other.delete(`/api/registration_tokens/${id}`)).status).toBe(404)
    for (const below of ['', `/${id}`])
      for (const user of [maker.id, 99_999])
        expect((await other.delete(`/api/users/${user}/registration_tokens${below}`)).status).toBe(404)
    expect((await other.get(`/api/users/${maker.id}/registration_tokens`)).status).toBe(404)
    expect((await as.get(path)).status).toBe(200)

    expect((await editor.delete(`/api/registration_tokens/${id}`)).body).toMatchObject({ id, uses: 2 })
    expect((await as.get(path)).status).toBe(401)
    expect((await editor.delete(`/api/registration_tokens/${id}`)).status).toBe(404)
    const search = encodeURIComponent(`type = user and auditable_id = ${maker.id} and action = update`)
    const [last] = (await api.admin.get(`/api/audits?search=${search}`)).body.results
    expect(last).toMatchObject({ user_id: editor.id, audited_changes: { registration_tokens: [[id], null] } })
    expect((await maker.delete(`/api/users/${maker.id}/registration_tokens`)).body.results).toHaveLength(1)
    expect((await tokensOf(maker)).total).toBe(0)
  })

  test('end when somebody else sets the password of who made them, unless a setting keeps them', async () => {
    const keep = (value: boolean) =>
      api.admin.put('/api/settings/revoke_tokens_on_password_reset', { setting: { value: !value } })
    const audits = async (id: number) => {
      const search = encodeURIComponent(`type = user and auditable_id = ${id} and action = update`)
      return (await api.admin.get(`/api/audits?search=${search}`)).body.results.map(
        ({ audited_changes }: { audited_changes: object }) => audited_changes,
      )
    }
    const maker = await api.can(['register_hosts'], places())
    const { url, as } = await commandFor({ activation_keys: ['a'] }, maker)
    const path = url.pathname + url.search
    const [{ id: token }] = (await tokensOf(maker)).results
    const own = { password: 'chosen myself', current_password: 'long enough' }
    expect((await maker.put(`/api/users/${maker.id}`, own)).status).toBe(200)
    expect((await as.get(path)).status, 'one’s own').toBe(200)
    await keep(true)
    expect((await api.admin.put(`/api/users/${maker.id}`, { password: 'kept by a setting' })).status).toBe(200)
    expect((await as.get(path)).status).toBe(200)
    await keep(false)
    expect((await api.admin.put(`/api/users/${maker.id}`, { firstname: 'Other' })).status).toBe(200)
    expect((await as.get(path)).status).toBe(200)
    expect((await api.admin.put(`/api/users/${maker.id}`, { password: 'taken back' })).status).toBe(200)
    expect((await as.get(path)).status).toBe(401)
    expect(await audits(maker.id)).toContainEqual({ registration_tokens: [[token], null] })
  })

  test('say what they are for to those only who belong there', async () => {
    const far = await newSite(api)
    const maker = await api.can(['register_hosts'], { organization_ids: [site.id, far.id], location_ids: [1] })
    await commandFor({ activation_keys: ['secret-key'], organization_id: far.id }, maker)
    const editor = await api.can(['edit_users'], places())
    const { results } = await tokensOf(editor, `/api/users/${maker.id}/registration_tokens`)
    expect(results).toMatchObject([{ user_id: maker.id, organization_id: null, activation_keys: [] }])
    for (const query of ['search=x', 'order=id', 'page=0', 'per_page=x'])
      expect((await maker.get(`/api/registration_tokens?${query}`)).status).toBe(400)
  })
})

test('the script registers its host, whatever is in its values, and says where it belongs', async () => {
  const hostgroup = await given(api.admin, 'hostgroup', { organization_ids: [site.id] })
  const hostile = "it's"
  const { url, as } = await commandFor({
    ...{ activation_keys: [hostile, '$(touch broken)'], hostgroup_id: hostgroup.id, setup_insights: true, force: true },
    repo: 'https://repo.example.test/$(touch broken)`touch broken`',
    ...{ packages: 'vim-enhanced', update_packages: true, lifecycle_environment_id: site.library },
  })
  const { text: script, headers } = await as.get(url.pathname + url.search)
  expect(headers['content-type']).toMatch(/^text\/plain/)
  const name = `${unique('scripted')}.example.test`
  const { body: consumer } = await register(api, site, hostile, clientBody(name))
  const said = await run(script, `case "$1" in identity) echo "system identity: ${consumer.uuid}" ;; esac`)
  expect(said.calls).toEqual([
    [SUBSCRIPTION_CLIENT, 'config', ...(said.calls[0]?.slice(2) ?? [])],
    [SUBSCRIPTION_CLIENT, 'unregister'],
    [SUBSCRIPTION_CLIENT, 'clean'],
    [SUBSCRIPTION_CLIENT, 'register', `--org=${site.label}`, `--activationkey=it's,$(touch broken)`],
    [SUBSCRIPTION_CLIENT, 'identity'],
    ['dnf', 'upgrade', '-y'],
    ['dnf', 'install', '-y', 'vim-enhanced'],
  ])
  expect(said.calls[0]).toContain(`--server.port=${new URL(address).port}`)
  expect(readFileSync(join(folder, 'etc/yum.repos.d/millwright.repo'), 'utf8')).toContain(
    'baseurl=https://repo.example.test/$(touch broken)`',
  )
  const { body: host } = await api.admin.get(`/api/hosts/${name}`)
  expect(host).toMatchObject({ hostgroup_id: hostgroup.id, owner_name: expect.any(String), organization_id: site.id })
  expect(host.parameters).toMatchObject([{ name: 'host_registration_insights', value: true }])
})

test('on Debian, which has no subscription client, a host registers without keys; with keys the script says what is missing', async () => {
  const name = `${unique('debian')}.example.test`
  const debian = {
    id: 'echo 0',
    hostname: `echo ${name}`,
    'apt-get': 'echo "E: Unable to locate package" >&2; exit 100',
  }
  const { url, as } = await commandFor({ activation_keys: ["it's"] })
  const runScript = async () => execute((await as.get(url.pathname + url.search)).text, debian)
  const failed = await runScript().then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  )
  expect(failed).toContain(`ERROR: activation keys take ${SUBSCRIPTION_CLIENT}, which could not be installed here: `)
  expect((await api.admin.get(`/api/hosts/${name}`)).status).toBe(404)
  url.searchParams.delete('activation_keys')
  expect((await runScript()).stdout).toContain('This host is registered')
  expect((await api.admin.get(`/api/hosts/${name}`)).body).toMatchObject({ name, organization_id: site.id })
})

test('a token shapes no host that registered before it was made, nor one without a name', async () => {
  const name = `${unique('before')}.example.test`
  const { body: consumer } = await register(api, site, "it's", clientBody(name))
  await sql`update registrations set registered_at = now() - interval '1 hour'`.execute(api.database.db)
  const { as } = await commandFor({ activation_keys: ["it's"] })
  const reported = await as.post('/register', { uuid: consumer.uuid, host: { build: false } })
  expect([reported.status, reported.text]).toEqual([404, expect.stringContaining('ERROR: Resource host not found')])
  expect((await as.post('/register', { host: { organization_id: site.id } })).status).toBe(422)
  const plain = await as.post('/register', {
    host: { name: `${unique('plain')}.example.test`, organization_id: site.id },
  })
  expect([plain.status, plain.text]).toEqual([200, expect.stringMatching(/^echo '# plain.* is known\.'\n$/)])
})

test('the authority can be had by web servers in front', async () => {
  const { text } = await api.nobody.get('/register/ca.pem')
  expect(text).toMatch(/^-----BEGIN CERTIFICATE-----/)
})

/** Runs a script in a shell, below a folder and with replacements for the programs that change machines. */
async function run(script: string, client: string): Promise<{ calls: string[][] }> {
  mkdirSync(join(folder, 'etc/yum.repos.d'), { recursive: true })
  const calls = join(folder, 'calls')
  writeFileSync(calls, '')
  const record = `{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\n'; } >> '${calls}'\n`
  await execute(script, { id: 'echo 0', dnf: record, [SUBSCRIPTION_CLIENT]: record + client })
  const lines = readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return { calls: lines.map((line) => line.split('\0').slice(0, -1)) }
}

/** Runs a script on a system that has these commands of its own. */
function execute(script: string, commands: Readonly<Record<string, string>>) {
  const bin = mkdtempSync(join(folder, 'bin-'))
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(folder, 'script'), script.replaceAll('/etc/', `${folder}/etc/`))
  const env = { PATH: [bin, process.env.PATH].join(delimiter) }
  return promisify(execFile)('sh', ['script'], { cwd: folder, env, timeout: 60_000 })
}
