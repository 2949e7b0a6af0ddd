import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { startVault, type VaultPeer } from '../support/peers/vault.ts'

// Hidden values that refer to secrets of Vault and of files (docs/decisions/0068-secret-references.md).

let api: TestApi
let world: NodeWorld
let peer: VaultPeer
let folder: string
let os: Shown
const HERE = { organization_ids: [1], location_ids: [1] }
const SECRET = 'kept <%= "elsewhere" %>'
const REFERENCE = 'vault:secret/web/db#password'

beforeAll(async () => {
  peer = await startVault()
  peer.secrets.set('web/db', { password: SECRET })
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  writeFileSync(join(folder, 'token'), 'token-of-the-service')
  writeFileSync(join(folder, 'in-a-file'), `${SECRET}\n`)
  peer.admit('token-of-the-service')
  const vault = { MILLWRIGHT_VAULT_ADDRESS: peer.address, MILLWRIGHT_VAULT_TOKEN_FILE: join(folder, 'token') }
  api = await openTestApi({ env: { ...vault, MILLWRIGHT_SECRET_DIRECTORY: folder } })
  world = await nodeWorld(api)
  await api.admin.put('/api/settings/interpolate_erb_in_parameters', { setting: { value: true } })
  os = await given(api.admin, 'operatingsystem')
  const template = await given(api.admin, 'provisioning_template', {
    ...{ name: 'Install', template: "<%= host_param('password') %>", template_kind_name: 'provision', ...HERE },
    operatingsystem_ids: [os.id],
  })
  const body = { template_kind_name: 'provision', provisioning_template_id: template.id }
  await api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const hide = (name: string, value: string) => ({ name, value, hidden_value: true })

async function newHost(parameters: readonly object[], more: object = {}) {
  const host = await world.host({
    ...{
      operatingsystem_id: os.id,
      organization_id: 1,
      location_id: 1,
      host_parameters_attributes: parameters,
      ...more,
    },
  })
  return { id: host.id, enc: `/api/hosts/${host.id}/enc`, template: `/api/hosts/${host.id}/template/provision`, host }
}

/** A class with a hidden default value and an override, both references. */
async function newClass() {
  const configclass = await world.plain()
  const parameter = await world.parameter({ configclass, name: 'key' })
  const path = `/api/smart_class_parameters/${parameter.id}`
  await api.admin.put(path, { smart_class_parameter: { hidden_value: true, default_value: REFERENCE } })
  return { configclass, parameter, path }
}

test('what a reference names appears where it is used; all else shows or stores the reference', async () => {
  const { configclass, parameter, path } = await newClass()
  const { enc, template, host, id } = await newHost(
    [
      hide('password', REFERENCE),
      hide('file', 'file:in-a-file'),
      { name: 'around', value: "<%= host_param('password') %>" },
    ],
    { configclass_ids: [configclass.id] },
  )
  const document = await api.admin.get(enc)
  expect(document.body.data.parameters).toMatchObject({ password: SECRET, file: SECRET, around: SECRET })
  expect(document.body.data.classes).toEqual({ [configclass.name]: { key: SECRET } })
  expect([document.headers.etag, document.headers['cache-control']]).toEqual([undefined, 'no-store'])
  await world.override(parameter, `fqdn=${host.name}`, 'file:in-a-file')
  expect((await api.admin.get(`/node/${host.name}?format=json`)).body.classes).toEqual({
    [configclass.name]: { key: SECRET },
  })
  expect((await api.admin.get(template)).body.template).toBe(SECRET)
  expect((await api.admin.get(`/api/playbook_inventories/hosts?host_ids=${id}`)).text).toContain(JSON.stringify(SECRET))
  const asked = peer.asked.length
  await api.admin.get(enc)
  expect(peer.asked.length).toBe(asked)

  const { results } = (await api.admin.get(`/api/hosts/${id}/parameters?show_hidden=true`)).body
  expect(results.map(({ value }: Shown) => value)).toContain(REFERENCE)
  expect((await api.admin.get(`${path}?show_hidden=true`)).body.default_value).toBe(REFERENCE)
  for (const url of [`/api/hosts/${id}`, path, '/api/audits?per_page=all'])
    expect((await api.admin.get(url)).text, url).not.toMatch(/kept <%|vault:secret|file:in/)
  const viewer = await api.can(['view_hosts', 'view_params', 'view_external_parameters'], HERE)
  expect((await viewer.get(enc)).body.data.parameters.password).toBe('*****')
  expect(await listTelling('kept <%')).toEqual([])
  expect(await listTelling('vault:secret')).toEqual([])
})

async function listTelling(mark: string): Promise<readonly string[]> {
  const { db } = api.database
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const each = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name where exists (select from ${sql.table(name)} t where t::text like ${`%${mark}%`})`,
  )
  return (await rows<{ name: string }>(db, sql.join(each, sql` union all `))).map(({ name }) => name)
}

const VERBS = ['view', 'create', 'edit', 'destroy']
const EDITING = ['params', 'external_parameters', 'hosts'].flatMap((word) => VERBS.map((verb) => `${verb}_${word}`))

test('only the permission without limits lets somebody write references, in each kind of record', async () => {
  const limited = { search: 'name ~ a', also: EDITING, ...HERE }
  const callers = [await api.can(EDITING, HERE), await api.can(['reference_secrets', 'view_params'], limited)]
  const { configclass, parameter, path } = await newClass()
  const { id } = await newHost([{ name: 'shown', value: REFERENCE }], { configclass_ids: [configclass.id] })
  const [shown] = (await api.admin.get(`/api/hosts/${id}/parameters`)).body.results
  for (const caller of callers) {
    const refused = [
      await caller.post('/api/common_parameters', { common_parameter: hide(unique('p'), REFERENCE) }),
      await caller.post(`/api/hosts/${id}/parameters`, { parameter: hide(unique('p'), 'file:in-a-file') }),
      await caller.put(`/api/hosts/${id}`, { host: { host_parameters_attributes: [hide('nested', REFERENCE)] } }),
      await caller.put(`/api/hosts/${id}/parameters/${shown.id}`, { parameter: { hidden_value: true } }),
      await caller.put(path, { smart_class_parameter: { default_value: 'vault:secret/other#key' } }),
      await caller.post(`${path}/override_values`, {
        override_value: { match: 'os=Any', value: REFERENCE },
      }),
    ]
    for (const { status, text } of refused) {
      expect([422, 500], text).toContain(status)
      expect(text).toContain('refers to a secret, which needs the permission reference_secrets without limits')
      expect(text).not.toContain(REFERENCE)
    }
  }
  const trusted = await api.can([...EDITING, 'reference_secrets'], HERE)
  const { body } = await trusted.post('/api/common_parameters', { common_parameter: hide(unique('p'), REFERENCE) })
  // Who may not write references can still rename one.
  const [editor] = callers
  const renamed = await editor?.put(`/api/common_parameters/${body.id}`, {
    common_parameter: { name: unique('renamed'), hidden_value: true },
  })
  expect(renamed?.status).toBe(200)
  const { enc } = await newHost([])
  expect((await api.admin.get(enc)).body.data.parameters[renamed?.body.name]).toBe(SECRET)
  await api.admin.delete(`/api/common_parameters/${body.id}`)
  expect(parameter.id).toBeGreaterThan(0)
})

test('a text that only looks like a reference means itself', async () => {
  const older = hide('older', 'replaced')
  const { enc, id } = await newHost([{ name: 'shown', value: REFERENCE }, hide('made', `<%= "${REFERENCE}" %>`), older])
  // An earlier version has stored this one.
  await sql`update parameters set value = to_jsonb(${REFERENCE}::text) where name = 'older' and host_id = ${id}`.execute(
    api.database.db,
  )
  const { parameters } = (await api.admin.get(enc)).body.data
  expect(parameters).toMatchObject({ shown: REFERENCE, made: REFERENCE, older: REFERENCE })
})

test('a secret that cannot be read fails what needs it, in a sentence with the parameter and the reference', async () => {
  const { enc, template } = await newHost([hide('password', 'vault:secret/none#k'), hide('file', 'file:none')])
  const sentences = [
    "Parameter 'file' refers to file:none, but there is no file with this name",
    "Parameter 'password' refers to vault:secret/none#k, but Vault has no secret at this path",
  ]
  const document = await api.admin.get(enc)
  expect([document.status, document.body.error.message]).toEqual([412, sentences.join('\n')])
  const rendered = await api.admin.get(template)
  expect(rendered.status).toBe(422)
  for (const sentence of sentences) expect(rendered.text).toContain(sentence)
})

test('without a source in the configuration nobody can write references', async () => {
  await using plain = await openTestApi()
  const refused = await plain.admin.post('/api/common_parameters', { common_parameter: hide('p', REFERENCE) })
  expect([refused.status, refused.body.error.errors]).toEqual([
    422,
    { value: ['refers to a secret, but the configuration of the service has no vault-address'] },
  ])
})
