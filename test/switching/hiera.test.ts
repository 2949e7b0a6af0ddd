import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/switching/report.ts'
import { run } from '../cli/program.ts'
import type { TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { openHere } from './here.ts'

let here: TestApi
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
})

const FILES = {
  'hiera.yaml': `---
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: Node
    path: "nodes/%{trusted.certname}.yaml"
  - name: Role
    paths:
      - "role/%{facts.site}-%{facts.role}.yaml"
      - "role/%{trusted.extensions.pp_role}.yaml"
  - name: Secrets
    lookup_key: eyaml_lookup_key
    path: "os/%{facts.os.family}.yaml"
  - name: Vault
    lookup_key: vault_lookup
    path: vault.yaml
  - name: Everything
    globs: ["common*.yaml", "more/*.json"]
`,
  'data/nodes/web1.example.test.yaml': `ntp::servers:
  - ntp1.example.test
profile::web::limits:
  nofile: 4096
profile::web::port: 8443
`,
  'data/nodes/gone.example.test.yaml': 'profile::web::port: 1\n',
  'data/role/berlin-web.yaml': `profile::web::port: 8080
profile::web::workers: 4
profile::web::motd: "on %{facts.hostname}"
`,
  'data/os/Debian.yaml': `ntp::servers: [debian.pool.example.test, ntp.example.test]
profile::web::limits: { nproc: 100 }
profile::web::key: >
  ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJ]
`,
  'data/common.yaml': `lookup_options:
  '^ntp::':
    merge: unique
  profile::web::limits:
    merge: { strategy: deep, knockout_prefix: '--' }
  profile::web::token:
    convert_to: Sensitive
ntp::servers: [ntp.example.test]
profile::web::limits: { nofile: 1024, core: 0 }
profile::web::port: 80
profile::web::token: of-common
profile::web::mode: '0644'
profile::web::url: "%{lookup('base')}/x"
base: https://example.test
`,
  'data/more/extra.json': '{\n  "profile::web::port": 81,\n  "profile::web::ratio": 0.5\n}\n',
  'data/stray.yaml': 'a::b: 1\n',
}

function writeFiles(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
}

const importFolder = (name: string, ...flags: string[]) =>
  run(['import', 'hiera', name, '--json', ...flags], folder, env)

async function readReport(...flags: string[]): Promise<Report> {
  const { code, stdout, stderr } = await importFolder('site', ...flags)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

async function readNode(name: string) {
  const { status, body, text } = await here.admin.get(`/api/hosts/${name}/enc`)
  expect(status, text).toBe(200)
  return body.data.classes
}

/** Gives a host the classes of the data, and facts. */
async function prepareHost(name: string, facts: object) {
  const { body: environments } = await here.admin.get('/api/environments?search=name=production')
  const [known] = environments.results
  const environment = known ?? (await given(here.admin, 'environment', { name: 'production' }))
  const names = ['ntp', 'profile::web']
  const ids = []
  for (const one of names) {
    const { body } = await here.admin.get(`/api/configclasses?search=name=${encodeURIComponent(one)}`)
    const [there] = Object.values(body.results).flat() as { id: number }[]
    ids.push(there?.id ?? (await given(here.admin, 'configclass', { name: one, environment_ids: [environment.id] })).id)
  }
  const host = await given(here.admin, 'host', {
    name,
    managed: false,
    environment_id: environment.id,
    configclass_ids: ids,
  })
  const { status, text } = await here.admin.post('/api/hosts/facts', { name, facts })
  expect(status, text).toBeLessThan(300)
  return host
}

test('data becomes defaults and matchers, the rest is listed, and an undo removes them', {
  timeout: 120_000,
}, async () => {
  writeFiles('site', FILES)
  await prepareHost('web1.example.test', { role: 'web', site: 'berlin', os: { family: 'Debian' } })
  await prepareHost('web2.example.test', { role: 'web', site: 'berlin', os: { family: 'RedHat' } })
  await prepareHost('other.example.test', { os: { family: 'Suse' } })
  const plan = await readReport('--plan')
  expect((await here.admin.get('/api/smart_class_parameters')).body.total).toBe(0)
  const report = await readReport()
  expect(report).toEqual(plan)
  const web1 = await readNode('web1.example.test')
  expect(web1).toEqual({
    ntp: { servers: ['ntp.example.test', 'ntp1.example.test', 'debian.pool.example.test'] },
    'profile::web': {
      limits: { nofile: 4096, nproc: 100, core: 0 },
      port: 8443,
      workers: 4,
      token: 'of-common',
      mode: '0644',
      ratio: 0.5,
    },
  })
  const web2 = await readNode('web2.example.test')
  expect(web2['profile::web']).toMatchObject({ port: 8080, workers: 4, limits: { nofile: 1024, core: 0 } })
  const other = await readNode('other.example.test')
  expect(other['profile::web']).toMatchObject({ port: 80 })
  expect(other['profile::web']).not.toHaveProperty('workers')
  const { body: port } = await here.admin.get('/api/smart_class_parameters/port')
  expect(port).toMatchObject({
    override: true,
    default_value: 80,
    parameter_type: 'integer',
    override_value_order: 'fqdn\nsite,role\nos::family',
  })
  const { body: token } = await here.admin.get('/api/smart_class_parameters/token')
  expect(token).toMatchObject({ 'hidden_value?': true, default_value: '*****' })
  const remarks = Object.values(report.kinds).flatMap((kind) => kind.remarks)
  for (const part of [
    'pp_role',
    'vault_lookup',
    'data/role/berlin-web.yaml:3): its value is computed',
    'data/os/Debian.yaml:3): its value is encrypted',
    'data/common.yaml:13): its value calls the function lookup',
    'data/common.yaml:14): the key names no parameter',
    'data/more/extra.json:2): data/common.yaml has a value',
    'data/common.yaml:1): knockout_prefix',
    'no level that is taken names this file',
    'begin with the default',
    'fqdn=gone.example.test does not match',
  ])
    expect
      .soft(
        remarks.filter(({ reason }) => reason.includes(part)),
        part,
      )
      .toHaveLength(1)
  expect((await readReport()).totals).toMatchObject({ created: 0, changed: 0, refused: 1 })
  writeFiles('site', { 'data/more/extra.json': '{"profile::web::ratio": 0.75}' })
  expect((await readReport()).totals).toMatchObject({ created: 0, changed: 1 })
  const undone = await run(['import', 'undo', '--json'], folder, env)
  expect(JSON.parse(undone.stdout)).toEqual({ removed: report.totals.created, kept: [] })
  expect(await readNode('web1.example.test')).toEqual({ ntp: null, 'profile::web': null })
})

test('a folder with a fault is refused with the place of its fault, and nothing is stored', async () => {
  const only = 'version: 5\nhierarchy: [{ name: Everything, path: common.yaml }]\n'
  const faults: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'data/common.yaml': '' }, /hiera\.yaml/],
    [{ 'hiera.yaml': ':backends: [yaml]\n' }, /hiera\.yaml is no configuration of version 5: version/],
    [{ 'hiera.yaml': only }, /folder of data cannot be read/],
    [{ 'hiera.yaml': only, 'data/common.yaml': 'a: [' }, /data\/common\.yaml is no YAML/],
    [{ 'hiera.yaml': only, 'data/common.yaml': '- a' }, /data\/common\.yaml is no map/],
  ]
  for (const [at, [files, message]] of faults.entries()) {
    writeFiles(`faulty${at}`, files)
    const { code, stderr } = await importFolder(`faulty${at}`)
    expect.soft(stderr).toMatch(message)
    expect.soft(code).not.toBe(0)
  }
  expect((await here.admin.get('/api/smart_class_parameters')).body.total).toBe(0)
})
