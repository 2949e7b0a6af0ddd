import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Core-api §1.6: template combinations, beyond what test/api/spec-combinations.test.ts shows.

let api: TestApi
let group: Shown
let environment: Shown

beforeAll(async () => {
  api = await openTestApi()
  group = await given(api.admin, 'hostgroup', { name: 'Web' })
  environment = await given(api.admin, 'environment', { name: 'production' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const newTemplate = (overrides: object = {}) => given(api.admin, 'provisioning_template', { ...overrides })
const below = ({ id }: Shown) => `/api/provisioning_templates/${id}/template_combinations`
const TAKEN = ['has already been taken']

describe('parents', () => {
  test('that are unknown are named, outside of the error envelope', async () => {
    const message = async (path: string) => (await api.admin.get(path)).body
    expect(await message('/api/provisioning_templates/99999/template_combinations')).toEqual({
      message: "Provisioning template not found by id '99999'",
    })
    expect(await message('/api/hostgroups/99999/template_combinations')).toEqual({
      message: "Hostgroup not found by id '99999'",
    })
    expect(await message('/api/environments/99999/template_combinations')).toEqual({
      message: "Environment not found by id '99999'",
    })
  })

  test('bind what is created below them, whatever the body says', async () => {
    const template = await newTemplate()
    const other = await newTemplate()
    const body = { hostgroup_id: group.id, provisioning_template_id: other.id }
    expect(await expectCreated(api.admin.post(below(template), body))).toMatchObject({
      provisioning_template_id: template.id,
      hostgroup_id: group.id,
    })
    const inGroup = `/api/hostgroups/${group.id}/template_combinations`
    expect(
      await expectCreated(api.admin.post(inGroup, { provisioning_template_id: other.id, hostgroup_id: null })),
    ).toMatchObject({ provisioning_template_id: other.id, hostgroup_id: group.id })
    const inEnvironment = `/api/environments/${environment.id}/template_combinations`
    expect(
      await expectCreated(api.admin.post(inEnvironment, { template_combination: { config_template_id: other.id } })),
    ).toMatchObject({ provisioning_template_id: other.id, environment_id: environment.id, hostgroup_id: null })
  })

  test('below a host group or an environment the template has to be named', async () => {
    for (const path of [`hostgroups/${group.id}`, `environments/${environment.id}`]) {
      const { status, body } = await api.admin.post(`/api/${path}/template_combinations`, { template_combination: {} })
      expect(status).toBe(422)
      expect(body.error.errors).toEqual({ provisioning_template_id: ["can't be blank"] })
    }
  })

  test('that a combination does not belong to do not have it', async () => {
    const template = await newTemplate()
    const { id } = await expectCreated(api.admin.post(below(template), {}))
    const { status, body } = await api.admin.get(`${below(await newTemplate())}/${id}`)
    expect(status).toBe(404)
    expect(body).toEqual({ error: { message: `Resource template_combination not found by id '${id}'` } })
  })

  test('take their combinations along when they go', async () => {
    const [template, hostgroup, env] = [
      await newTemplate(),
      await given(api.admin, 'hostgroup'),
      await given(api.admin, 'environment'),
    ]
    const left = async () => (await api.admin.get(below(template))).body.total
    await expectCreated(api.admin.post(below(template), { hostgroup_id: hostgroup.id }))
    const { id } = await expectCreated(api.admin.post(below(template), { environment_id: env.id }))
    expect((await api.admin.delete(`/api/hostgroups/${hostgroup.id}`)).status).toBe(200)
    expect(await left()).toBe(1)
    expect((await api.admin.delete(`/api/provisioning_templates/${template.id}`)).status).toBe(200)
    expect((await api.admin.get(`/api/template_combinations/${id}`)).status).toBe(404)
    expect((await api.admin.delete(`/api/environments/${env.id}`)).status).toBe(200)
  })

  test('show them without their times', async () => {
    const template = await newTemplate()
    const env = await given(api.admin, 'environment')
    const hostgroup = await given(api.admin, 'hostgroup')
    const body = { hostgroup_id: hostgroup.id, environment_id: env.id }
    const {
      created_at: _created,
      updated_at: _updated,
      ...shown
    } = await expectCreated(api.admin.post(below(template), body))
    for (const path of [
      `provisioning_templates/${template.id}`,
      `hostgroups/${hostgroup.id}`,
      `environments/${env.id}`,
    ])
      expect((await api.admin.get(`/api/${path}`)).body.template_combinations).toEqual([shown])
  })
})

describe('a combination', () => {
  test('is found by its id, with anything behind it, and by nothing else', async () => {
    const { id } = await expectCreated(api.admin.post(below(await newTemplate()), {}))
    expect((await api.admin.get(`/api/template_combinations/${id}-anything`)).status).toBe(200)
    for (const segment of [`${id}abc`, 'x', '0'])
      expect((await api.admin.get(`/api/template_combinations/${segment}`)).status).toBe(404)
  })

  test('names host groups by title and environments by name', async () => {
    const child = await given(api.admin, 'hostgroup', { name: unique('Edge'), parent_id: group.id })
    const body = { hostgroup_name: child.title, environment_name: 'production' }
    expect(await expectCreated(api.admin.post(below(await newTemplate()), body))).toMatchObject({
      hostgroup_id: child.id,
      hostgroup_name: child.title,
      environment_id: environment.id,
    })
  })

  test('is refused with what does not exist', async () => {
    const template = await newTemplate()
    const message = async (body: object) => {
      const { status, body: answer } = await api.admin.post(below(template), { template_combination: body })
      expect(status).toBe(422)
      return answer.error.message
    }
    expect(await message({ hostgroup_name: 'X' })).toBe('Could not find hostgroup with name: X')
    expect(await message({ environment_name: 'X' })).toBe('Could not find environment with name: X')
    expect(await message({ hostgroup_id: 99999 })).toBe("Couldn't find Hostgroup with 'id'=99999")
    expect(await message({ environment_id: 99999 })).toBe("Couldn't find Environment with 'id'=99999")
    const { status, body } = await api.admin.post(below(template), { hostgroup_id: 'x', environment_id: -1 })
    expect(status).toBe(422)
    expect(Object.keys(body.error.errors)).toEqual(['hostgroup_id', 'environment_id'])
  })

  test('exists once, on POST and on PUT, also where something is not bound', async () => {
    const template = await newTemplate()
    for (const body of [{ hostgroup_id: group.id, environment_id: environment.id }, { hostgroup_id: group.id }, {}]) {
      await expectCreated(api.admin.post(below(template), body))
      expect(await api.admin.post(below(template), body)).toMatchObject({
        status: 422,
        body: { error: { id: null, errors: { environment_id: TAKEN, hostgroup_id: TAKEN } } },
      })
    }
    const { id } = await expectCreated(api.admin.post(below(template), { environment_id: environment.id }))
    expect(await api.admin.put(`${below(template)}/${id}`, { hostgroup_id: group.id })).toMatchObject({
      status: 422,
      body: {
        error: {
          id,
          errors: { environment_id: TAKEN, hostgroup_id: TAKEN },
          full_messages: ['Environment has already been taken', 'Hostgroup has already been taken'],
        },
      },
    })
    expect((await api.admin.get(`/api/template_combinations/${id}`)).body.hostgroup_id).toBeNull()
  })

  test('moves to another template by PUT, under either word', async () => {
    const [from, to, last] = [await newTemplate(), await newTemplate(), await newTemplate()]
    const { id } = await expectCreated(api.admin.post(below(from), {}))
    const moved = await api.admin.put(`${below(from)}/${id}`, { provisioning_template_id: to.id })
    expect(moved).toMatchObject({ status: 200, body: { provisioning_template_id: to.id, config_template_id: to.id } })
    expect((await api.admin.get(`${below(from)}/${id}`)).status).toBe(404)
    const again = await api.admin.put(`${below(to)}/${id}`, { template_combination: { config_template_id: last.id } })
    expect(again).toMatchObject({ status: 200, body: { provisioning_template_id: last.id } })
    const both = { provisioning_template_id: to.id, config_template_id: from.id }
    expect((await api.admin.put(`${below(last)}/${id}`, both)).body.provisioning_template_id).toBe(to.id)
    expect((await api.admin.put(`${below(to)}/${id}`, { provisioning_template_id: 99999 })).status).toBe(422)
  })

  test('is not audited', async () => {
    const { id } = await expectCreated(api.admin.post(below(await newTemplate()), {}))
    await api.admin.delete(`/api/template_combinations/${id}`)
    const { body } = await api.admin.get('/api/audits?search=type+%3D+template_combination&per_page=all')
    expect(body.results ?? []).toEqual([])
  })
})

test('lists have pages', async () => {
  const template = await newTemplate()
  await expectCreated(api.admin.post(below(template), {}))
  await expectCreated(api.admin.post(below(template), { hostgroup_id: group.id }))
  await expectCreated(api.admin.post(below(template), { environment_id: environment.id }))
  const { body } = await api.admin.get(`${below(template)}?per_page=2&page=2`)
  expect(body).toMatchObject({
    total: 3,
    subtotal: 3,
    page: 2,
    per_page: 2,
    results: [{ environment_id: environment.id }],
  })
  expect((await api.admin.get(`${below(template)}?page=0`)).status).toBe(400)
})

describe('permissions', () => {
  const here = { organization_ids: [1], location_ids: [1] }
  const placed = () => newTemplate(here)

  test('are those of templates', async () => {
    const template = await placed()
    const { id } = await expectCreated(api.admin.post(below(template), {}))
    const nobody = await api.can(['view_users'], here)
    const denials = [
      [await nobody.get(below(template)), 'view_provisioning_templates'],
      [await nobody.get(`/api/template_combinations/${id}`), 'view_provisioning_templates'],
      [await nobody.post(below(template), {}), 'create_provisioning_templates'],
      [await nobody.put(`${below(template)}/${id}`, {}), 'edit_provisioning_templates'],
      [await nobody.delete(`/api/template_combinations/${id}`), 'destroy_provisioning_templates'],
    ] as const
    for (const [{ status, body }, permission] of denials) {
      expect({ status, missing: body.error.missing_permissions }).toEqual({ status: 403, missing: [permission] })
    }
  })

  test('creating below a parent needs that it may be edited, everything else that it may be seen', async () => {
    const template = await placed()
    const creator = await api.can(['create_provisioning_templates', 'view_provisioning_templates'], here)
    expect(await creator.post(below(template), {})).toMatchObject({
      status: 404,
      body: { message: `Provisioning template not found by id '${template.id}'` },
    })
    const editor = await api.can(
      ['create_provisioning_templates', 'view_provisioning_templates', 'edit_provisioning_templates'],
      here,
    )
    const { id } = await expectCreated(editor.post(below(template), {}))
    expect((await editor.get(`${below(template)}/${id}`)).status).toBe(200)
    const hostgroup = await given(api.admin, 'hostgroup', here)
    const inGroup = `/api/hostgroups/${hostgroup.id}/template_combinations`
    expect((await editor.post(inGroup, { provisioning_template_id: template.id })).status).toBe(404)
    expect((await editor.get(inGroup)).status).toBe(404)
  })

  test('limited to some templates reach the combinations of those only', async () => {
    const [mine, theirs] = [
      await newTemplate({ ...here, name: 'mine' }),
      await newTemplate({ ...here, name: 'theirs' }),
    ]
    const [own, other] = [
      await expectCreated(api.admin.post(below(mine), { environment_id: environment.id })),
      await expectCreated(api.admin.post(below(theirs), { environment_id: environment.id })),
    ]
    const all = ['view', 'create', 'edit', 'destroy'].map((verb) => `${verb}_provisioning_templates`)
    const limited = await api.can(all, { ...here, search: 'name = mine' })
    expect((await limited.get(`/api/template_combinations/${own.id}`)).status).toBe(200)
    expect((await limited.get(`/api/template_combinations/${other.id}`)).status).toBe(404)
    expect((await limited.delete(`/api/template_combinations/${other.id}`)).status).toBe(404)
    const moved = await limited.put(`${below(mine)}/${own.id}`, { provisioning_template_id: theirs.id })
    expect(moved.status).toBe(422)
    expect((await api.admin.get(`/api/template_combinations/${own.id}`)).body.provisioning_template_id).toBe(mine.id)
    expect((await limited.get('/api/template_kinds')).body.total).toBeGreaterThan(10)
  })
})
