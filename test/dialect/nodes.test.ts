import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ADMIN, basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'

// Node documents at the second port, in the words of existing configuration servers.

let world: TestApi
let api: { readonly ours: Caller; readonly theirs: Caller; readonly stranger: Caller }
beforeAll(async () => {
  world = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  const authorization = basic(ADMIN.login, ADMIN.password)
  const theirs = world.asVendor({ authorization })
  api = { ours: world.admin, theirs, stranger: world.asVendor({ authorization: '' }) }
})
afterAll(() => world?.[Symbol.asyncDispose]())

let made = 0
const name = () => `node${++made}.test`
const given = (path: string, word: string, body: object) =>
  expectCreated(api.ours.post(`/api/${path}`, { [word]: body }))
const host = (more: object = {}) =>
  given('hosts', 'host', { name: name(), managed: false, organization_id: 1, location_id: 1, ...more })

test('documents say on each port in its own words what is known of a host', async () => {
  const environment = await given('environments', 'environment', { name: 'documents' })
  const { name: called } = await host({
    environment_id: environment.id,
    interfaces_attributes: [{ identifier: 'eth0', ip: '192.0.2.5' }],
    host_parameters_attributes: [{ name: 'millwright_env_of_mine', value: 'kept' }],
  })
  const table = [
    ['ours', 'millwright', 'configmaster'],
    ['theirs', 'foreman', 'puppetmaster'],
  ] as const
  for (const [port, prefix, server] of table)
    for (const path of [`/node/${called}?format=yml`, `/hosts/${called}/externalNodes?format=yml`]) {
      const answer = await api[port].get(path)
      expect([answer.status, answer.headers['content-type']], path).toEqual([200, 'text/plain; charset=utf-8'])
      const document = parse(answer.text)
      expect(document.environment).toBe('documents')
      expect(document.parameters).toMatchObject({
        [`${prefix}_env`]: 'documents',
        [`${prefix}_hostname`]: called.split('.')[0],
        [`${prefix}_fqdn`]: called,
        [`${prefix}_subnets`]: [],
        [`${prefix}_config_groups`]: [],
        [`${prefix}_users`]: { admin: {} },
        [server]: '',
        owner_name: 'Admin User',
        millwright_env_of_mine: 'kept',
      })
      expect(document.parameters[`${prefix}_interfaces`]).toMatchObject([{ identifier: 'eth0', link: true }])
      const { etag } = answer.headers
      expect((await api[port].get(path, { 'if-none-match': String(etag) })).status).toBe(304)
      const enc = await api[port].get(`/api/hosts/${called}/enc`)
      expect(Object.keys(enc.body.data.parameters).sort()).toEqual(Object.keys(document.parameters).sort())
    }
  expect((await api.theirs.get('/node/nobody.test?format=yml')).status).toBe(404)
  expect((await api.stranger.get(`/node/${called}?format=yml`)).status).toBe(401)
})

test('matchers name the architecture, the owner, the way to install and the server that configures', async () => {
  const environment = await given('environments', 'environment', { name: 'matched' })
  const configclass = await given('configclasses', 'configclass', { name: 'motd', environment_ids: [environment.id] })
  const server = await given('smart_proxies', 'smart_proxy', {
    ...{ name: 'server', url: 'http://config.test:1/x', runner: 'ssh' },
  })
  const at = {
    environment_id: environment.id,
    configclass_ids: [configclass.id],
    architecture_id: 1,
    config_proxy_id: server.id,
  }
  const { name: called, architecture_name } = await host(at)
  const { id } = await importedParameter(world, { configclass, parameter: 'text' })
  const matches = [
    `arch=${architecture_name}`,
    'owner_type=User',
    'provision_method=build',
    'configmaster=config.test',
    'puppetmaster=config.test',
  ]
  for (const match of matches) {
    const [attribute = ''] = match.split('=')
    await api.ours.put(`/api/smart_class_parameters/${id}`, {
      smart_class_parameter: { override: true, default_value: 'none', override_value_order: attribute },
    })
    const override = await api.ours.post(`/api/smart_class_parameters/${id}/override_values`, {
      override_value: { match, value: match },
    })
    expect(override.status, override.text).toBe(201)
    const { body } = await api.ours.get(`/api/hosts/${called}/enc`)
    expect(body.data.classes.motd.text, match).toBe(match)
    await api.ours.delete(`/api/smart_class_parameters/${id}/override_values/${override.body.id}`)
  }
  expect((await api.theirs.get(`/api/hosts/${called}/enc`)).body.data.parameters.puppetmaster).toBe('config.test')
})

test('values of json and yaml are merged like those of lists and maps', async () => {
  const environment = await given('environments', 'environment', { name: 'merged' })
  const configclass = await given('configclasses', 'configclass', { name: 'merge', environment_ids: [environment.id] })
  const { name: called } = await host({ environment_id: environment.id, configclass_ids: [configclass.id] })
  const { id } = await importedParameter(world, { configclass, parameter: 'text' })
  for (const type of ['json', 'yaml']) {
    const sent = { override: true, parameter_type: type, default_value: '{"a": 1, "b": {"c": 2}}' }
    const updated = await api.theirs.put(`/api/smart_class_parameters/${id}`, {
      smart_class_parameter: { ...sent, merge_overrides: true, merge_default: true },
    })
    expect(updated, type).toMatchObject({ status: 200, body: { merge_overrides: true, parameter_type: type } })
    const match = { match: `fqdn=${called}`, value: '{"b": {"d": 3}}' }
    const path = `/api/smart_class_parameters/${id}/override_values`
    const { id: override } = await expectCreated(api.theirs.post(path, { override_value: match }))
    const { body } = await api.ours.get(`/api/hosts/${called}/enc`)
    expect(body.data.classes.merge.text, type).toEqual({ a: 1, b: { c: 2, d: 3 } })
    await api.theirs.delete(`${path}/${override}`)
  }
})
