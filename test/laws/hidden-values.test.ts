import { afterAll, beforeAll, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sealOlder } from '../../src/operator/seal-older.ts'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Hidden values lie encrypted in the database, and are the same wherever they are shown (docs/decisions/0065-hidden-values.md).

let api: TestApi
let world: NodeWorld

beforeAll(async () => {
  api = await openTestApi()
  world = await nodeWorld(api)
  await given(api.admin, 'common_parameter', hide('everywhere'))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const MARK = 'mark-of-a-secret'
const hide = (name: string, value: unknown = `${MARK} ${name}`, parameter_type = 'string') => ({
  ...{ name, value, parameter_type },
  hidden_value: true,
})

/** Lists the tables that hold the mark. */
async function listTelling(): Promise<readonly string[]> {
  const { db } = api.database
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found = await rows<{ name: string }>(
    db,
    sql.join(
      tables.map(
        ({ name }) =>
          sql`select ${name}::text as name where exists (select from ${sql.table(name)} t where t::text like ${`%${MARK}%`})`,
      ),
      sql` union all `,
    ),
  )
  return found.map(({ name }) => name)
}

/** Hides values of each kind of record: new ones, changed ones, and ones that were shown before. */
async function plant() {
  const ordered = { zone: MARK, a: 1, name: [MARK] }
  const owner = await given(api.admin, 'hostgroup', {
    group_parameters_attributes: [hide('of_group')],
    root_pass: `$6$salt$${MARK}-of-group`,
  })
  const subnet = await given(api.admin, 'subnet', { subnet_parameters_attributes: [hide('of_subnet')] })
  const configclass = await world.plain()
  const parameter = await world.parameter({ configclass })
  const shown = await world.override(parameter, 'os=Any', 'shown')
  const path = `/api/smart_class_parameters/${parameter.id}`
  await api.admin.put(path, { smart_class_parameter: { hidden_value: true, default_value: `${MARK} default` } })
  const host = await world.host({
    ...{ hostgroup_id: owner.id, configclass_ids: [configclass.id], root_pass: `$6$salt$${MARK}-of-host` },
    host_parameters_attributes: [
      hide('own', ordered, 'hash'),
      { name: 'later', value: 'soon', parameter_type: 'string' },
    ],
  })
  await world.override(parameter, `fqdn=${host.name}`, `${MARK} override`)
  const [later] = (await api.admin.get(`/api/hosts/${host.id}/parameters?search=name=later`)).body.results
  const own = `/api/hosts/${host.id}/parameters/${later.id}`
  await api.admin.put(own, { parameter: { hidden_value: true } })
  await api.admin.put(own, { parameter: { value: `${MARK} later` } })
  return { host, owner, subnet, parameter, path, own, shown }
}

test('no table holds a hidden value, and all that showed it before shows it now', async () => {
  const { host, owner, parameter, path, subnet } = await plant()
  expect(await listTelling()).toEqual([])

  const { text } = await api.admin.get(`/node/${host.name}?format=json`)
  expect(text).toContain(`"root_pw":"$6$salt$${MARK}-of-host"`)
  const inheriting = await world.host({ hostgroup_id: owner.id })
  const other = await api.admin.get(`/node/${inheriting.name}?format=json`)
  expect(other.text).toContain(`"root_pw":"$6$salt$${MARK}-of-group"`)
  for (const name of ['of_group', 'everywhere', 'later', 'override']) expect(text).toContain(`${MARK} ${name}`)
  expect(text).toContain(`{"zone":"${MARK}","a":1,"name":["${MARK}"]}`)
  const reveal = async (place: string) => (await api.admin.get(`${place}?show_hidden=true`)).text
  expect(await reveal(`/api/subnets/${subnet.id}/parameters`)).toContain(`${MARK} of_subnet`)
  expect(await reveal('/api/common_parameters')).toContain(`${MARK} everywhere`)
  expect(await reveal(`/api/hosts/${host.id}`)).toContain(`${MARK} of_group`)
  expect(await reveal(path)).toMatch(new RegExp(`${MARK} default.*${MARK} override`))
  const explained = await reveal(`/api/hosts/${host.id}/smart_class_parameters/${parameter.id}/explain`)
  expect(explained).toContain(`${MARK} override`)
  const inventory = await api.admin.get(`/api/playbook_inventories/hosts?host_ids=${host.id}`)
  expect(inventory.text).toContain(`${MARK} of_group`)
  const { body: copy } = await api.admin.post(`/api/hostgroups/${owner.id}/clone`, {
    hostgroup: { name: unique('copy') },
  })
  expect(await reveal(`/api/hostgroups/${copy.id}/parameters`)).toContain(`${MARK} of_group`)
  expect(await listTelling()).toEqual([])
})

test('showing a value again stores it as it is, and hiding it encrypts it', async () => {
  const { own, path, parameter, shown } = await plant()
  const storedOf = (table: string, id: unknown) =>
    row(api.database.db, sql`select value #>> '{}' as value from ${sql.table(table)} t where id = ${id}`)
  const encrypted = { value: expect.stringMatching(/^mw:sealed:1:[0-9a-f]{8}\.[\w-]+\.2$/) }
  const { body } = await api.admin.put(own, { parameter: { hidden_value: false } })
  expect(body.value).toBe(`${MARK} later`)
  expect(await storedOf('parameters', body.id)).toEqual({ value: `${MARK} later` })
  expect(await storedOf('override_values', shown.id)).toEqual(encrypted)
  await api.admin.put(path, { smart_class_parameter: { hidden_value: false } })
  expect(await storedOf('override_values', shown.id)).toEqual({ value: 'shown' })
  expect((await api.admin.get(path)).body).toMatchObject({ default_value: `${MARK} default`, id: parameter.id })
  await api.admin.put(path, { smart_class_parameter: { hidden_value: true } })
  await api.admin.put(own, { parameter: { hidden_value: true } })
  expect((await listTelling()).filter((table) => !table.startsWith('audits'))).toEqual([])
})

test('nobody finds a hidden value by a search, but its existence', async () => {
  const { host } = await plant()
  const find = async (search: string) =>
    (await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.results.map(({ id }: Shown) => id)
  expect(await find(`params.later ~ "${MARK}"`)).toEqual([])
  expect(await find('has params.later')).toContain(host.id)
  expect((await api.admin.get(`/api/common_parameters?search=value~"${MARK}"`)).body.results).toEqual([])
})

test('values that an earlier version has stored are read, and a job encrypts them', async () => {
  const { host, own, path } = await plant()
  const { db } = api.database
  await sql`update parameters set value = to_jsonb(${`${MARK} older`}::text) where host_id = ${host.id} and name = 'later'`.execute(
    db,
  )
  await sql`update smart_class_parameters set default_value = to_jsonb(${`${MARK} older`}::text) where hidden_value`.execute(
    db,
  )
  await sql`update override_values set value = to_jsonb(${`${MARK} older`}::text) where match like 'fqdn=%'`.execute(db)
  await sql`update hosts set root_pass = ${`$6$salt$${MARK}-older`}`.execute(db)
  const read = async () =>
    (
      await Promise.all([own, path, `/node/${host.name}`].map((place) => api.admin.get(`${place}?show_hidden=true`)))
    ).map(({ text }) => text)
  const before = await read()
  expect(before.join()).toMatch(new RegExp(`(?:${MARK} older.*){3}.*${MARK}-older`, 's'))
  expect(await listTelling()).toEqual(
    expect.arrayContaining(['parameters', 'smart_class_parameters', 'override_values', 'hosts']),
  )
  const { signal } = new AbortController()
  expect(await sealOlder({ db, encryption: { ...UNKNOWN_KEYS, isSealing: () => false } }, signal)).toBe(0)
  expect(await listTelling()).toContain('hosts')
  await api.jobs.find(({ name }) => name === 'encrypt_hidden_values')?.work(signal)
  expect((await listTelling()).filter((table) => !table.startsWith('audits'))).toEqual([])
  expect(await read()).toEqual(before)
})

test('an encrypted text that somebody has copied opens nothing, hidden or not', async () => {
  const { db } = api.database
  const secret = await given(api.admin, 'common_parameter', hide(unique('secret')))
  const copied = await row<{ text: string }>(
    db,
    sql`select value #>> '{}' as text from parameters where id = ${secret.id}`,
  )
  const value = copied?.text ?? ''
  expect(value).toMatch(/^mw:sealed:1:/)
  const { id } = await given(api.admin, 'common_parameter', { name: unique('copy'), value })
  const read = async () => (await api.admin.get(`/api/common_parameters/${id}?show_hidden=true`)).body.value
  const write = (common_parameter: object) => api.admin.put(`/api/common_parameters/${id}`, { common_parameter })
  expect(await read()).toBe(value)
  await write({ hidden_value: true })
  expect(await read()).toBe(value)
  await write({ hidden_value: false })
  expect(await read()).toBe(value)
  await write({ hidden_value: true, value })
  expect(await read()).toBe(value)
  // What a version before has stored that only looks encrypted is the value.
  const forged = value.replace(/.{8}\.2$/, 'AAAAAAAA.2')
  await sql`update parameters set value = to_jsonb(${forged}::text) where id = ${id}`.execute(db)
  expect(await read()).toBe(forged)
})
