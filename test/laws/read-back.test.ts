import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { translateName } from '../../src/dialect/names.ts'
import { toVendorPaths } from '../../src/dialect/paths.ts'
import type { Field, FieldPosition, Resource } from '../../src/kernel/definition.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, type Caller, expectCreated } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import {
  type Body,
  given,
  leastBody,
  pathFor,
  pathOf,
  resourceNamed,
  type Shown,
  segmentOf,
  wrapped,
} from '../support/given.ts'
import { names, turns } from './subjects.ts'
import { acceptable, bodies, written } from './values.ts'
import { openWorld, stopClocks, type World } from './world.ts'

// Clients read a record, change one key and send all of it back. What they did not change stays: nothing is stored, no
// audit is written, and what answers mask is not replaced by its mask. So on both listeners.

let world: World
let ports: Readonly<Record<string, Caller>>
beforeAll(async () => {
  world = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  const authorization = basic(ADMIN.login, ADMIN.password)
  ports = { ours: world.api.admin, theirs: world.api.asVendor({ authorization }) }
  await stopClocks(world.api)
})
afterAll(() => world?.api[Symbol.asyncDispose]())

/** Everything that is stored about a record, its secrets and links included, and how many audits there are. */
async function digest({ table }: Pick<Resource, 'table'>, id: number): Promise<unknown> {
  return row(
    world.api.database.db,
    sql`select to_jsonb(t) - 'updated_at' as stored, (select count(*) from audits) as audits from ${sql.table(table)} t where id = ${id}`,
  )
}

/** Sends what each port shows of a record back to it, and expects that nothing changes. */
async function expectReadBack(resource: Resource, path: string, id: number): Promise<void> {
  for (const [port, caller] of Object.entries(ports)) {
    const at = port === 'theirs' ? (toVendorPaths(path).at(0) ?? path) : path
    const word = port === 'theirs' ? translateName('theirs', resource.word) : resource.word
    for (const query of ['', '?show_hidden=true']) {
      const url = `${at}/${segmentOf(resource, id)}${query}`
      const { status, body: shown, text } = await caller.get(url)
      expect({ port, url, status, text }).toMatchObject({ status: 200 })
      const before = await digest(resource, id)
      const bodies = [{ [word]: shown }, { [word]: withParts(shown, resource, port) }, shown]
      for (const body of query === '' ? bodies : bodies.slice(1, 2)) {
        const said = await caller.put(`${at}/${segmentOf(resource, id)}`, body)
        expect(`${said.status} ${port} ${url} ${said.text}`).toMatch(/^200 /)
        expect({ port, url, body, now: await digest(resource, id) }).toEqual({ port, url, body, now: before })
        const { body: again } = await caller.get(url)
        expect({ port, ...again, updated_at: null }).toEqual({ port, ...shown, updated_at: null })
      }
    }
  }
}

/** The lists of parts that an answer shows, under the keys that write them. */
function withParts(shown: Shown, { placed }: Resource, port: string): Body {
  const parts = placed.filter(({ field }) => field.kind === 'parts')
  const lists = parts.flatMap(({ name, field, at }) => {
    const list = shown[port === 'theirs' ? translateName('theirs', name) : name]
    return Array.isArray(list) ? listKeys(field, at).map((key) => [key, list] as const) : []
  })
  return { ...shown, ...Object.fromEntries(lists) }
}

/** The keys that write a list of parts; the field for interfaces has others for the primary one. */
function listKeys(field: Field, at: FieldPosition): string[] {
  return Object.keys(field.writable(at)).filter((key) => key.endsWith('_attributes'))
}

describe.each(turns('update'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('what comes back is no change', { timeout: 60_000 }, async () => {
    const path = await pathFor(world.api.admin, resource)
    const property = fc.asyncProperty(bodies(resource, world.pool), async (any) => {
      const body: Record<string, unknown> = { ...acceptable(resource, any) }
      for (const { field, key } of written(resource))
        if (field.secret?.sentTo.length === 0 && key !== 'current_password' && !(key in body))
          body[key] = 'a secret 1234'
      const { id } = await expectCreated(world.api.admin.post(path, wrapped(resource, withHidden(resource, body))))
      await expectReadBack(resource, resource.nestedOnly ? path : pathOf(resource), id)
    })
    await fc.assert(property, { numRuns: 1 })
  })
})

test.each(names('update').filter((name) => written(resourceNamed(name)).some(({ field }) => field.secret)))(
  'what stands for the secrets of %s does not replace them',
  async (name) => {
    const resource = resourceNamed(name)
    const path = pathOf(resource)
    const { id } = await given(world.api.admin, name)
    for (const { field, key } of written(resource)) {
      if (!field.secret || key === 'ssh_key') continue
      if (key !== 'current_password')
        await world.api.admin.put(`${path}/${id}`, wrapped(resource, { [key]: 'a secret 1234' }))
      const before = await digest(resource, id)
      for (const mask of ['*****', '********']) {
        const { status, text } = await world.api.admin.put(`${path}/${id}`, wrapped(resource, { [key]: mask }))
        expect({ key, status, text }).toMatchObject({ status: 200 })
        expect({ key, now: await digest(resource, id) }).toEqual({ key, now: before })
      }
    }
  },
)

const OWNERS = ['organization', 'location', 'domain', 'subnet', 'operatingsystem', 'hostgroup', 'host'] as const

test.each(OWNERS)('what comes back is no change of a parameter of their %s', async (kind) => {
  const owner = await given(world.api.admin, kind)
  for (const parameter of HIDDEN_PARAMETERS) {
    const path = `${resourceNamed(kind).path}/${owner.id}/parameters`
    const { id } = await expectCreated(world.api.admin.post(path, { parameter }))
    await expectReadBack(resourceNamed('parameter'), path, id)
  }
})

test('what comes back is no change of interfaces, class parameters and their overrides', async () => {
  const { admin } = world.api
  const host = await given(admin, 'host')
  const bmc = { type: 'bmc', mac: '52:54:00:00:77:79', provider: 'IPMI', username: 'root', password: 'secret-bmc' }
  const { id } = await expectCreated(admin.post(`/api/hosts/${host.id}/interfaces`, { interface: bmc }))
  await expectReadBack(resourceNamed('interface'), `/api/hosts/${host.id}/interfaces`, id)
  for (const [parameter_type, default_value, value] of [
    ['string', '"secret default"', 'secret override'],
    ['hash', '{"b": {"z": 1, "a": 2.50}}', { c: 1, 10: 'x' }],
  ] as const) {
    const columns = { override: true, parameter_type, hidden_value: true }
    const parameter = await importedParameter(world.api, { default_value, columns })
    const path = `/api/smart_class_parameters`
    const body = { match: `fqdn=${host.name}`, value }
    const { id } = await expectCreated(admin.post(`${path}/${parameter.id}/override_values`, { override_value: body }))
    await expectReadBack(resourceNamed('smart_class_parameter'), path, parameter.id)
    await expectReadBack(resourceNamed('override_value'), `${path}/${parameter.id}/override_values`, id)
  }
})

test('what comes back is no change of a setting, whether anybody chose its value or not', {
  timeout: 120_000,
}, async () => {
  const setting = resourceNamed('setting')
  await world.api.admin.put('/api/settings/root_pass', { setting: { value: 'a secret 1234' } })
  const { body } = await world.api.admin.get('/api/settings?per_page=all')
  const settings = body.results as Shown[]
  const root = settings.filter(({ name }) => name === 'root_pass')
  const types = new Map(settings.map((one) => [one.settings_type, one]))
  for (const { id } of [...root, ...types.values()]) await expectReadBack(setting, setting.path, id)
})

test('what comes back is no change of records that come in pairs', async () => {
  for (const name of ['compute_attribute', 'template_combination', 'os_default_template'] as const) {
    const path = await pathFor(world.api.admin, resourceNamed(name))
    const { id } = await expectCreated(
      world.api.admin.post(path, wrapped(resourceNamed(name), await leastBody(world.api.admin, name))),
    )
    await expectReadBack(resourceNamed(name), path, id)
  }
})

const HIDDEN_PARAMETERS = [
  { name: 'hidden', value: 'a hidden secret', hidden_value: true },
  { name: 'map', parameter_type: 'hash', value: { b: 1, a: 2.5 }, hidden_value: true },
  { name: 'seen', parameter_type: 'array', value: [1, 'two'] },
]

/** Adds parameters with hidden values, where a record has parameters. */
function withHidden({ placed }: Resource, body: Body): Body {
  const own = placed.filter(({ name, field }) => name === 'parameters' && field.kind === 'parts')
  return {
    ...body,
    ...Object.fromEntries(own.flatMap(({ field, at }) => listKeys(field, at).map((key) => [key, HIDDEN_PARAMETERS]))),
  }
}
