import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BACK_KINDS, CLASS_PARAMETER_OPTIONS, PARAMETER_OWNERS } from '../../src/client/back/kinds.ts'
import { type Hammer, hasHammer, openHammer } from '../acceptance/hammer/hammer.ts'
import { run } from '../cli/program.ts'
import { millwright, millwrightHere } from '../client/program.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given } from '../support/given.ts'
import { spawnSync } from '../support/processes.ts'
import { listAll } from './all-records.ts'
import { openHere } from './here.ts'

const VERSION = '5.0'
const hammer = hasHammer(VERSION)
const HOSTILE = 'it\'s "new"\n$(touch hacked) `touch hacked` \\ $HOME --name x'
const SECRET = 'a-secret-of-anna'

const folder = mkdtempSync(join(tmpdir(), 'millwright-'))
let old: TestApi
let here: TestApi
let oldUrl: string
let env: Record<string, string>
let since: string

beforeAll(async () => {
  writeFileSync(join(folder, 'password'), ADMIN.password)
  old = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
  oldUrl = await old.listenAsVendor()
  await fillOld(old)
  await importOld()
  since = new Date().toISOString()
  await change(here)
}, 240_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
  await old?.[Symbol.asyncDispose]()
})

async function fillOld(api: TestApi): Promise<void> {
  const { admin } = api
  const organization = await given(admin, 'organization', { name: 'Acme' })
  const location = await given(admin, 'location', { name: 'Kiruna, north' })
  const place = { organization_ids: [organization.id], location_ids: [location.id] }
  const environment = await given(admin, 'environment', { name: 'production', ...place })
  const web = await given(admin, 'configclass', { name: 'web', environment_ids: [environment.id] })
  const columns = { parameter_type: 'string', override: true }
  const port = await importedParameter(api, { configclass: web, parameter: 'port', default_value: '"80"', columns })
  await admin.post(`/api/smart_class_parameters/${port.id}/override_values`, {
    override_value: { match: 'domain=old.test', value: '1' },
  })
  const group = await given(admin, 'hostgroup', { name: 'base', ...place })
  await given(admin, 'domain', { name: 'old.test', ...place })
  await given(admin, 'subnet', { name: 'gone', network: '192.0.2.0', mask: '255.255.255.0', ...place })
  await given(admin, 'user', { login: 'anna', mail: 'anna@old.test' })
  await given(admin, 'host', {
    name: 'web1.old.test',
    managed: false,
    organization_id: organization.id,
    location_id: location.id,
    hostgroup_id: group.id,
    host_parameters_attributes: [{ name: 'level', value: 'low', parameter_type: 'string' }],
  })
}

/** Makes changes of all sorts, as people do after the switch. */
async function change({ admin }: TestApi): Promise<void> {
  const place = {
    organization_ids: [await find(here, 'organizations', 'name = Acme')],
    location_ids: [await find(here, 'locations', 'name = "Kiruna, north"')],
  }
  const parent_id = await find(here, 'hostgroups', 'name = base')
  await given(admin, 'domain', { name: 'new.test', fullname: HOSTILE, ...place })
  const group = await given(admin, 'hostgroup', {
    ...{ name: 'front', parent_id, description: HOSTILE },
    ...place,
    group_parameters_attributes: [{ name: 'tier', value: '1', parameter_type: 'integer' }],
  })
  const host = await find(here, 'hosts', 'name = web1.old.test')
  await admin.put(`/api/hosts/${host}`, { host: { comment: HOSTILE, hostgroup_id: group.id } })
  await admin.put(`/api/hosts/${host}/parameters/level`, { parameter: { value: 'high' } })
  await admin.post(`/api/hosts/${host}/parameters`, {
    parameter: { name: 'hidden', value: SECRET, hidden_value: true },
  })
  const port = await find(here, 'smart_class_parameters', 'parameter = port')
  await admin.post(`/api/smart_class_parameters/${port}/override_values`, {
    override_value: { match: 'hostgroup=base/front', value: '81' },
  })
  const { body } = await admin.get(`/api/smart_class_parameters/${port}/override_values`)
  const known = body.results.find((one: { match: string }) => one.match === 'domain=old.test')
  await admin.put(`/api/smart_class_parameters/${port}/override_values/${known.id}`, { override_value: { value: '2' } })
  await given(admin, 'host', {
    ...{ name: 'web2.new.test', managed: false, mac: '52:54:00:00:00:01', ip: '192.0.2.3', hostgroup_id: group.id },
    ...{ organization_id: place.organization_ids[0], location_id: place.location_ids[0] },
  })
  await admin.delete('/api/subnets/gone')
  await admin.put('/api/users/anna', { user: { mail: 'anna@new.test', password: SECRET } })
  await given(admin, 'user', { login: 'bert', password: SECRET, ...place })
  await admin.put('/api/environments/production', { environment: { name: 'prod' } })
  // Hosts of the groups below keep that they have none, though the group has one when the script gives them the group.
  await admin.put(`/api/hostgroups/${parent_id}`, {
    hostgroup: { environment_id: await find(here, 'environments', '') },
  })
  await given(admin, 'provisioning_template', { name: 'Motd', snippet: true, template: `${HOSTILE}\n`, ...place })
  const model = await given(admin, 'model', { name: 'came and went' })
  await admin.delete(`/api/models/${model.id}`)
}

async function find({ admin }: TestApi, path: string, search: string): Promise<number> {
  return (await admin.get(`/api/${path}?search=${encodeURIComponent(search)}`)).body.results[0].id
}

async function importOld(...flags: string[]) {
  const words = ['import', 'server', oldUrl, '--user', ADMIN.login, '--password-file', 'password', '--json', ...flags]
  const { code, stdout, stderr } = await run(words, folder, env)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

async function loginHere() {
  return {
    HOME: folder,
    MILLWRIGHT_URL: await here.listen(),
    MILLWRIGHT_LOGIN: ADMIN.login,
    MILLWRIGHT_TOKEN: ADMIN.password,
  }
}

test.skipIf(!hammer)(
  'the way back makes the old server equal, by hammer and by hand',
  { timeout: 240_000 },
  async () => {
    const env = await loginHere()
    const { code, stdout, stderr } = await millwright(['switch', 'back', '--since', since], env)
    expect(stderr).toBe('')
    expect(stdout).not.toContain(SECRET)
    expect(stdout).not.toContain('came and went')
    expect(code).toBe(2)
    const byHand = stdout.split('\n').filter((line) => line.startsWith('# '))
    expect(byHand.slice(1).toSorted()).toEqual([
      '# OverrideValue domain=old.test: change value from "1" to "2"',
      '# host web1.old.test: parameter hidden of host web1.old.test: enter it by hand',
      '# user anna: password of user anna: enter it by hand',
      '# user bert: password of user bert: enter it by hand',
    ])
    const { code: again, stdout: json } = await millwrightHere(
      ['switch', 'back', '--since', since, '--output', 'json'],
      env,
    )
    expect([again, JSON.parse(json).by_hand]).toEqual([2, byHand.length - 1])

    await using loaded = await openHammer({ version: VERSION, url: oldUrl })
    expect(listUnknown(loaded)).toEqual([])
    const failed: unknown[] = []
    for (const words of readCommands(stdout)) {
      // A person answers the prompt.
      const answered = words.join('\0').replace('--ask-password\0true', `--password\0${SECRET}`).split('\0')
      const ran = await loaded.run(answered)
      if (ran.status !== 0) failed.push([words, ran])
    }
    expect(failed).toEqual([])
    await finishByHand(old)
    const { kinds, totals } = await importOld('--plan')
    expect.soft(totals, JSON.stringify(kinds.host)).toMatchObject({ created: 0, changed: 0, refused: 0 })
    const [there, taken] = [await listAll(old.admin), await listAll(here.admin)]
    for (const [kind, records] of Object.entries(there)) expect.soft(taken[kind], kind).toEqual(records)
    expect(await millwrightHere(['switch', 'back', '--since', new Date().toISOString()], env)).toMatchObject({
      code: 0,
    })
    expect(await millwrightHere(['switch', 'back', '--since', 'noon'], env)).toMatchObject({ code: 2, stdout: '' })
  },
)

/** Does what the script leaves to people. */
async function finishByHand(api: TestApi): Promise<void> {
  const host = await find(api, 'hosts', 'name = web1.old.test')
  const hidden = { name: 'hidden', value: SECRET, hidden_value: true }
  await api.admin.post(`/api/hosts/${host}/parameters`, { parameter: hidden })
  const port = await find(api, 'smart_class_parameters', 'parameter = port')
  const { body } = await api.admin.get(`/api/smart_class_parameters/${port}/override_values`)
  const known = body.results.find((one: { match: string }) => one.match === 'domain=old.test')
  const path = `/api/smart_class_parameters/${port}/override_values/${known.id}`
  await api.admin.put(path, { override_value: { value: '2' } })
}

/** Runs a script with a shell, and yields the words of its commands as the shell passes them on. */
function readCommands(script: string): string[][] {
  const calls = join(folder, 'calls')
  const program = join(folder, 'hammer')
  // The script removes the file, so hammer gets a copy afterwards.
  const copy = `for word; do last=$word; done\ncase "$*" in *--file*) cp "$last" "$CALLS.file";; esac`
  writeFileSync(program, `#!/bin/sh\n${copy}\nprintf '%s\\0' "$#" "$@" >>"$CALLS"\n`)
  chmodSync(program, 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}`, CALLS: calls }
  const { status, stderr } = spawnSync('sh', [], { input: script, env, cwd: folder, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const words = readFileSync(calls, 'utf8').split('\0').slice(0, -1)
  const commands: string[][] = []
  while (words.length > 0) commands.push(words.splice(0, Number(words.shift())))
  return commands.map((command) => (command.at(-2) === '--file' ? command.with(-1, `${calls}.file`) : command))
}

/** Lists the commands and options of our tables that hammer does not have. */
function listUnknown({ commands }: Hammer): string[] {
  const lacking = (command: string, options: readonly string[]) =>
    options.filter((option) => !commands[command]?.includes(`--${option}`)).map((option) => `${command} --${option}`)
  const ofKinds = Object.values(BACK_KINDS).flatMap(({ words, by, options, file }) => {
    const all = Object.values(options).map((one) => (typeof one === 'string' ? { option: one } : one))
    const created = all.map(({ option }) => option)
    const changed = all.map((one) => ('onUpdate' in one && one.onUpdate ? one.onUpdate : one.option))
    return [
      ...lacking(`${words} create`, [...created, ...(file ? ['file'] : [])]),
      ...lacking(`${words} update`, [...changed, by]),
      ...lacking(`${words} delete`, [by]),
    ]
  })
  const ofPrompts = Object.values(BACK_KINDS).flatMap(({ words, asks = {} }) =>
    lacking(`${words} create`, Object.values(asks)),
  )
  const ofParameters = Object.values(PARAMETER_OWNERS).flatMap(({ type, option }) =>
    ['set', 'delete'].flatMap((verb) => lacking(`${BACK_KINDS[type]?.words} ${verb}-parameter`, [option, 'name'])),
  )
  return [
    ...ofKinds,
    ...ofPrompts,
    ...ofParameters,
    ...lacking('sc-param update', Object.values(CLASS_PARAMETER_OPTIONS)),
  ]
}
