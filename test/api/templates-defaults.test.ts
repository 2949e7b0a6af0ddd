import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Core-api §11: kinds of templates, and the default templates of operating systems.

let api: TestApi
let kinds: ReadonlyMap<string, number>

beforeAll(async () => {
  api = await openTestApi()
  const { body } = await api.admin.get('/api/template_kinds?per_page=all')
  kinds = new Map(body.results.map(({ name, id }: Shown & { name: string }) => [name, id]))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const path = '/api/provisioning_templates'
const newTemplate = () => given(api.admin, 'provisioning_template')

describe('kinds', () => {
  test('come with the program', async () => {
    const { body } = await api.admin.get('/api/template_kinds?search=name+%3D+provision')
    expect(Object.keys(body.results[0])).toEqual(['created_at', 'updated_at', 'name', 'id'])
    expect(body).toMatchObject({ total: 16, subtotal: 1, results: [{ name: 'provision', id: kinds.get('provision') }] })
    for (const kind of ['PXELinux', 'PXEGrub', 'PXEGrub2', 'iPXE', 'finish', 'script', 'user_data', 'ZTP', 'POAP'])
      expect(kinds.has(kind)).toBe(true)
    for (const kind of ['cloud-init', 'host_init_config', 'kexec', 'Bootdisk', 'registration'])
      expect(kinds.has(kind)).toBe(true)
  })

  test('are listed only, for whoever may see templates', async () => {
    expect((await api.admin.get(`/api/template_kinds/${kinds.get('provision')}`)).status).toBe(404)
    expect((await api.admin.post('/api/template_kinds', { name: 'x' })).status).toBe(404)
    const viewer = await api.can(['view_provisioning_templates'], { search: 'name = x' })
    expect((await viewer.get('/api/template_kinds')).body.total).toBe(16)
    expect((await (await api.can(['view_users'])).get('/api/template_kinds')).status).toBe(403)
  })
})

describe('defaults of an operating system', () => {
  const below = (os: Shown) => `/api/operatingsystems/${os.id}/os_default_templates`

  test('are made, changed, listed from both sides and deleted below it', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const [first, second] = [await newTemplate(), await newTemplate()]
    const kind = kinds.get('provision')
    const made = await expectCreated(
      api.admin.post(below(os), {
        os_default_template: { template_kind_id: kind, provisioning_template_id: first.id },
      }),
    )
    expect(Object.entries(made)).toEqual([
      ['id', made.id],
      ['provisioning_template_id', first.id],
      ['provisioning_template_name', first.name],
      ['template_kind_id', kind],
      ['template_kind_name', 'provision'],
      ['operatingsystem_id', os.id],
      ['operatingsystem_name', os.title],
      ['config_template_id', first.id],
      ['config_template_name', first.name],
    ])
    expect((await api.admin.get(below(os))).body).toMatchObject({ total: 1, results: [made] })
    expect((await api.admin.get(`${path}/${first.id}/os_default_templates`)).body.results).toEqual([made])
    for (const url of [`/api/operatingsystems/${os.id}`, `${path}/${first.id}`])
      expect((await api.admin.get(url)).body.os_default_templates).toEqual([made])
    const changed = await api.admin.put(`${below(os)}/${made.id}`, { config_template_id: second.id })
    expect(changed).toMatchObject({ status: 200, body: { provisioning_template_id: second.id } })
    const { body } = await api.admin.delete(`${below(os)}/${made.id}`, { os_default_template: {} })
    expect(Object.keys(body)).toEqual([
      ...['id', 'provisioning_template_id', 'template_kind_id', 'operatingsystem_id', 'created_at', 'updated_at'],
    ])
    expect(body.created_at).toMatch(/Z$/)
  })

  test('are one for each kind, of that kind', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const template = await newTemplate()
    const body = { template_kind_name: 'provision', provisioning_template_name: template.name }
    await expectCreated(api.admin.post(below(os), body))
    const errors = async (sent: object) => (await api.admin.post(below(os), sent)).body.error.errors
    expect(await errors(body)).toEqual({ template_kind_id: ['has already been taken'] })
    expect(await errors({ ...body, template_kind_name: 'finish' })).toEqual({
      provisioning_template_id: ['is not of this kind'],
    })
    expect(await errors({})).toEqual({
      provisioning_template_id: ["can't be blank"],
      template_kind_id: ["can't be blank"],
    })
  })

  test('keep the kind of their template', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const { id, name } = await newTemplate()
    const body = { template_kind_name: 'provision', provisioning_template_name: name }
    const { id: made } = await expectCreated(api.admin.post(below(os), body))
    const changing = (change: object) => api.admin.put(`/api/provisioning_templates/${id}`, change)
    for (const change of [{ template_kind_name: 'finish' }, { snippet: true }])
      expect((await changing(change)).body.error.errors).toEqual({ base: [`${name} is used by ${os.title}`] })
    expect((await changing({ template_kind_name: 'provision', snippet: false })).status).toBe(200)
    await api.admin.delete(`${below(os)}/${made}`)
    expect((await changing({ template_kind_name: 'finish' })).status).toBe(200)
  })

  test('keep their template from being deleted', async () => {
    const [template, debian] = [await newTemplate(), await given(api.admin, 'operatingsystem')]
    const body = { template_kind_name: 'provision', provisioning_template_id: template.id }
    await expectCreated(api.admin.post(below(debian), body))
    const { status, body: refusal } = await api.admin.delete(`${path}/${template.id}`)
    expect(status).toBe(422)
    expect(refusal.error).toMatchObject({
      id: template.id,
      errors: { base: [`${template.name} is used by ${debian.title}`] },
    })
  })

  test('need the permissions of the operating system', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const viewer = await api.can(['view_operatingsystems'])
    expect((await viewer.get(below(os))).status).toBe(200)
    const { status, body } = await viewer.post(below(os), {})
    expect({ status, missing: body.error.missing_permissions }).toEqual({
      status: 403,
      missing: ['edit_operatingsystems'],
    })
  })
})
