import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Spec 2.4: the host record, as deletions answer with it.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const KEYS = [
  ...['id', 'name', 'certname', 'last_compile', 'last_report', 'created_at', 'updated_at', 'root_pass', 'grub_pass'],
  ...['architecture_id', 'operatingsystem_id', 'environment_id', 'ptable_id', 'medium_id', 'model_id', 'hostgroup_id'],
  ...['compute_resource_id', 'image_id', 'realm_id', 'compute_profile_id', 'config_proxy_id', 'config_ca_proxy_id'],
  ...['organization_id', 'location_id', 'owner_id', 'owner_type', 'build', 'enabled', 'managed', 'comment', 'disk'],
  ...['uuid', 'otp', 'pxe_loader', 'initiated_at', 'installed_at', 'use_image', 'build_errors', 'image_file'],
  ...['provision_method', 'global_status', 'lookup_value_matcher'],
]

describe('the host record', () => {
  test('of a host that says nothing but its name', async () => {
    const name = `${unique('bare')}.test`
    const { id } = await expectCreated(api.admin.post('/api/hosts', { host: { name, managed: false } }))
    const { status, body } = await api.admin.delete(`/api/hosts/${name}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(KEYS)
    expect(body).toMatchObject({
      id,
      name,
      certname: name,
      root_pass: null,
      grub_pass: '',
      organization_id: 1,
      location_id: 1,
      owner_id: 1,
      owner_type: 'User',
      build: false,
      enabled: true,
      managed: false,
      image_file: '',
      provision_method: 'build',
      global_status: 0,
      lookup_value_matcher: `fqdn=${name}`,
    })
    const empty = ['last_compile', 'last_report', 'disk', 'uuid', 'otp', 'pxe_loader', 'initiated_at']
    for (const key of [...empty, 'installed_at', 'use_image', 'build_errors', 'hostgroup_id', 'realm_id'])
      expect(body[key], key).toBeNull()
    expect(body.comment).toBe('')
    for (const key of ['created_at', 'updated_at'])
      expect(body[key]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    expect((await api.admin.get(`/api/hosts/${id}`)).status).toBe(404)
  })

  test('of a host that says everything', async () => {
    const linked: Record<string, number> = {}
    for (const [key, resource] of Object.entries({
      architecture_id: 'architecture',
      operatingsystem_id: 'operatingsystem',
      environment_id: 'environment',
      ptable_id: 'ptable',
      medium_id: 'medium',
      model_id: 'model',
      hostgroup_id: 'hostgroup',
      compute_resource_id: 'compute_resource',
      image_id: 'image',
      realm_id: 'realm',
      compute_profile_id: 'compute_profile',
      config_proxy_id: 'smart_proxy',
      config_ca_proxy_id: 'smart_proxy',
    }))
      linked[key] = (await given(api.admin, resource)).id
    const values = {
      certname: 'certified.test',
      build: true,
      enabled: false,
      managed: false,
      comment: 'says a lot',
      disk: 'zerombr',
      uuid: unique('uuid'),
      pxe_loader: 'PXELinux BIOS',
      use_image: true,
      image_file: '/images/one',
      provision_method: 'image',
    }
    const secrets = { root_pass: 'correct horse', otp: 'battery staple' }
    const name = `${unique('full')}.test`
    const host = { name, ...linked, ...values, ...secrets }
    const created = await expectCreated(api.admin.post('/api/hosts', { host }))
    expect(created).toMatchObject({ ...linked, ...values })
    const { body } = await api.admin.delete(`/api/hosts/${created.id}`)
    expect(Object.keys(body)).toEqual(KEYS)
    expect(body).toMatchObject({ ...linked, ...values, root_pass: '********', grub_pass: '********', otp: '********' })
    expect(body.initiated_at).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/)
  })
})
