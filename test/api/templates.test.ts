import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Core-api §11: provisioning templates.

let api: TestApi
let debian: Shown
let kinds: ReadonlyMap<string, number>

beforeAll(async () => {
  api = await openTestApi()
  debian = await given(api.admin, 'operatingsystem', { name: 'Debian', major: '12' })
  const { body } = await api.admin.get('/api/template_kinds?per_page=all')
  kinds = new Map(body.results.map(({ name, id }: Shown & { name: string }) => [name, id]))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const path = '/api/provisioning_templates'
const post = (provisioning_template: object) => api.admin.post(path, { provisioning_template })
const put = (id: number, provisioning_template: object) => api.admin.put(`${path}/${id}`, { provisioning_template })
const newTemplate = (overrides: object = {}) => given(api.admin, 'provisioning_template', { ...overrides })
const names = async (url: string) => {
  const { status, body } = await api.admin.get(url)
  return status === 200 ? body.results.map(({ name }: { name: string }) => name) : { status, body }
}

const LISTED = [
  ...['snippet', 'description', 'created_at', 'updated_at', 'id', 'name', 'template_kind_id', 'template_kind_name'],
]

describe('a template', () => {
  test('shows its text, and what it is for, in the order of existing servers', async () => {
    const made = await newTemplate({ template: 'a\n', operatingsystem_ids: [debian.id], description: 'of mine' })
    expect(Object.keys(made)).toEqual([
      ...['template', 'locked', 'cloned_from_id', 'default', ...LISTED],
      ...['template_combinations', 'operatingsystems', 'os_default_templates', 'locations', 'organizations'],
    ])
    expect(made).toMatchObject({
      template: 'a\n',
      locked: false,
      snippet: false,
      description: 'of mine',
      template_kind_id: kinds.get('provision'),
      template_kind_name: 'provision',
      operatingsystems: [{ id: debian.id, name: 'Debian', title: debian.title }],
      template_combinations: [],
      os_default_templates: [],
    })
    const { body } = await api.admin.get(`${path}?search=id+%3D+${made.id}`)
    expect(Object.keys(body.results[0])).toEqual(LISTED)
  })

  test('needs a name, a text, and a kind unless it is a snippet', async () => {
    const errors = async (body: object) => (await post(body)).body.error.errors
    const blank = ["can't be blank"]
    expect(await errors({})).toEqual({ name: blank, template: blank, template_kind_id: blank })
    expect(await errors({ name: '', template: '', snippet: true })).toEqual({ name: blank, template: blank })
    const taken = await newTemplate()
    expect(await errors({ name: taken.name, template: 'x', snippet: true })).toEqual({
      name: ['has already been taken'],
    })
  })

  test('takes its kind by id or name; a snippet has none, whatever is sent', async () => {
    const named = await post({ name: unique('t'), template: 'x', template_kind_name: 'PXEGrub' })
    expect(named).toMatchObject({ status: 201, body: { template_kind_id: kinds.get('PXEGrub') } })
    const unknown = await post({ name: unique('t'), template: 'x', template_kind_name: 'kind_that_does_not_exist' })
    expect(unknown).toMatchObject({
      status: 422,
      body: { error: { message: 'Could not find template_kind with name: kind_that_does_not_exist' } },
    })
    const snippet = await newTemplate({ snippet: true, template_kind_id: kinds.get('finish') })
    expect(snippet).toMatchObject({ snippet: true, template_kind_id: null, template_kind_name: null })
    expect((await put(snippet.id, { snippet: false })).body.error.errors).toEqual({
      template_kind_id: ["can't be blank"],
    })
    const turned = await put(snippet.id, { snippet: false, template_kind_id: kinds.get('finish') })
    expect(turned).toMatchObject({ status: 200, body: { template_kind_name: 'finish' } })
    expect((await put(snippet.id, { template_kind_id: null })).status).toBe(422)
    expect((await put(snippet.id, { snippet: true })).body).toMatchObject({ template_kind_id: null })
  })

  test('keeps its text to the last blank', async () => {
    const template = '\n  two\r\n\tthree \n\n'
    const { id } = await newTemplate({ template })
    expect((await api.admin.get(`${path}/${id}`)).body.template).toBe(template.replace('\r', ''))
  })

  test('is refused with the line, where its tags cannot be understood', async () => {
    const refusal = async (template: string) => {
      const { status, body } = await post({ name: unique('t'), template, template_kind_name: 'provision' })
      expect(status).toBe(422)
      expect(Object.keys(body.error.errors)).toEqual(['template'])
      return body.error.errors.template[0]
    }
    expect(await refusal('one\ntwo <% if %>')).toMatch(/^cannot be understood: line 2: /)
    expect(await refusal('one\n<% if true -%>\nthree')).toMatch(/^cannot be understood: line \d: /)
    expect(await refusal('<%= 1 + %>')).toMatch(/^cannot be understood: line 1: /)
    expect(await refusal(`<%= ${'['.repeat(100_000)} %>`)).toMatch(/^cannot be understood: line 1: /)
    const { id } = await newTemplate()
    expect((await put(id, { template: '<% end %>' })).status).toBe(422)
  })

  test('knows its operating systems, from either side', async () => {
    const made = await newTemplate({ operatingsystem_ids: [debian.id] })
    const fedora = await given(api.admin, 'operatingsystem', { name: unique('Fedora') })
    expect(await names(`/api/operatingsystems/${debian.id}/provisioning_templates?per_page=all`)).toContain(made.name)
    expect(await names(`${path}/${made.id}/operatingsystems`)).toEqual(['Debian'])
    await api.admin.put(`/api/operatingsystems/${fedora.id}`, { provisioning_template_ids: [made.id] })
    expect((await api.admin.get(`/api/operatingsystems/${fedora.id}`)).body.provisioning_templates).toEqual([
      { id: made.id, name: made.name, template_kind_id: made.template_kind_id, template_kind_name: 'provision' },
    ])
    expect((await api.admin.get(`${path}/${made.id}`)).body.operatingsystems).toHaveLength(2)
  })

  test('belongs to locations and organizations', async () => {
    const organization = await given(api.admin, 'organization')
    const made = await newTemplate({ organization_ids: [organization.id], location_ids: [1] })
    expect(made.organizations).toMatchObject([{ id: organization.id, title: organization.title }])
    expect(await names(`/api/organizations/${organization.id}/provisioning_templates`)).toEqual([made.name])
    const elsewhere = await api.can(['view_provisioning_templates'], { organization_ids: [1], location_ids: [1] })
    expect((await elsewhere.get(`${path}/${made.id}`)).status).toBe(404)
  })

  test('is found by the words of its search fields', async () => {
    const environment = await given(api.admin, 'environment')
    const hostgroup = await given(api.admin, 'hostgroup')
    const word = unique('needle')
    const made = await newTemplate({
      template: `text with ${word}`,
      operatingsystem_ids: [(await given(api.admin, 'operatingsystem', { name: word })).id],
      template_kind_id: kinds.get('POAP'),
    })
    await expectCreated(api.admin.post(`${path}/${made.id}/template_combinations`, { environment_id: environment.id }))
    await expectCreated(api.admin.post(`${path}/${made.id}/template_combinations`, { hostgroup_id: hostgroup.id }))
    for (const search of [
      ...[`name = ${made.name}`, `template ~ ${word}`, `operatingsystem = ${word}`, 'kind = POAP', word],
      ...[
        `environment = ${environment.name}`,
        `hostgroup = ${hostgroup.name}`,
        `locked = false and template ~ ${word}`,
      ],
    ])
      expect(await names(`${path}?search=${encodeURIComponent(search)}`), search).toEqual([made.name])
    expect(await names(`${path}?search=${encodeURIComponent(`snippet = true and template ~ ${word}`)}`)).toEqual([])
  })

  test('takes combinations with it, changes and removes them', async () => {
    const [first, second] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
    const made = await newTemplate({ template_combinations_attributes: [{ environment_id: first.id }] })
    expect(made.template_combinations).toMatchObject([{ environment_name: first.name, hostgroup_id: null }])
    const attributes = [
      { id: made.template_combinations[0].id, environment_id: second.id },
      { environment_id: first.id },
    ]
    const changed = await put(made.id, { template_combinations_attributes: attributes })
    expect(changed.body.template_combinations.map(({ environment_id }: Shown) => environment_id)).toEqual([
      ...[second.id, first.id],
    ])
    // The same ones again are those that are there: clients send what they want to have.
    const again = await put(made.id, {
      template_combinations_attributes: [
        { environment_id: first.id, hostgroup_id: null },
        { environment_id: second.id },
      ],
    })
    expect([again.status, again.body.template_combinations]).toEqual([200, changed.body.template_combinations])
    const removed = [{ id: made.template_combinations[0].id, _destroy: true }]
    const left = await put(made.id, { template_combinations_attributes: removed })
    expect(left.body.template_combinations).toMatchObject([{ environment_id: first.id }])
  })

  test('keeps a remark on a change in its audit', async () => {
    const made = await newTemplate({ audit_comment: 'first of all' })
    await put(made.id, { description: 'x', audit_comment: 'why' })
    await put(made.id, { audit_comment: 'nothing changed' })
    const { body } = await api.admin.get(
      `/api/audits?search=${encodeURIComponent('type = provisioning_template')}&per_page=all`,
    )
    const about = body.results.filter(({ auditable_id }: { auditable_id: number }) => auditable_id === made.id)
    expect(about.map(({ comment }: { comment: string }) => comment)).toEqual(['why', 'first of all'])
    expect((await put(made.id, { audit_comment: 'x'.repeat(256) })).status).toBe(422)
  })

  test('that is deleted is answered as it was stored', async () => {
    const made = await newTemplate()
    const { body } = await api.admin.delete(`${path}/${made.id}-${made.name}`)
    expect(Object.keys(body)).toEqual([
      ...[
        'id',
        'name',
        'template',
        'snippet',
        'template_kind_id',
        'created_at',
        'updated_at',
        'locked',
        'description',
        'cloned_from_id',
      ],
    ])
    expect(body.created_at).toMatch(/Z$/)
  })
})

describe('a locked template', () => {
  const REFUSED = ['This template is locked. Please clone it to a new template to customize.']

  test('does not change but by being unlocked, and is not deleted', async () => {
    const { id, name } = await newTemplate({ locked: true })
    for (const change of [{ name: 'x' }, { template: 'x' }, { description: 'x' }, { snippet: true }])
      expect((await put(id, change)).body.error.errors, JSON.stringify(change)).toEqual({ base: REFUSED })
    expect((await put(id, { template_kind_name: 'finish' })).body.error.errors).toEqual({ base: REFUSED })
    expect((await api.admin.delete(`${path}/${id}`)).body.error.errors).toEqual({
      base: ['This template is locked and may not be removed.'],
    })
    expect((await put(id, { name, locked: true })).status).toBe(200)
    expect((await put(id, { operatingsystem_ids: [debian.id] })).body.operatingsystems).toHaveLength(1)
    expect((await put(id, { locked: false, description: 'x' })).body).toMatchObject({ locked: false, description: 'x' })
    expect((await api.admin.delete(`${path}/${id}`)).status).toBe(200)
  })

  test('is locked and unlocked with a permission of its own', async () => {
    const here = { organization_ids: [1], location_ids: [1] }
    const assigning = ['assign_locations', 'assign_organizations']
    const permissions = [...['view', 'create', 'edit'].map((verb) => `${verb}_provisioning_templates`), ...assigning]
    const editor = await api.can(permissions, here)
    const refused = { locked: ['cannot be changed without the permission lock_provisioning_templates'] }
    const [open, locked] = [await newTemplate(here), await newTemplate({ ...here, locked: true })]
    expect((await editor.put(`${path}/${open.id}`, { locked: true })).body.error.errors).toEqual(refused)
    expect((await editor.put(`${path}/${locked.id}`, { locked: false })).body.error.errors).toEqual(refused)
    expect((await editor.put(`${path}/${open.id}`, { locked: false, description: 'x' })).status).toBe(200)
    const body = { name: unique('t'), template: 'x', snippet: true, locked: true, ...here }
    expect((await editor.post(path, body)).body.error.errors).toEqual(refused)
    const locker = await api.can([...permissions, 'lock_provisioning_templates'], here)
    expect((await locker.put(`${path}/${open.id}`, { locked: true })).body.locked).toBe(true)
    expect((await locker.put(`${path}/${locked.id}`, { locked: false })).body.locked).toBe(false)
  })
})

describe('a copy', () => {
  test('has everything but the lock and the combinations', async () => {
    const original = await newTemplate({
      ...{ template: '<%= 1 %>\n', locked: true, operatingsystem_ids: [debian.id], description: 'd' },
      template_combinations_attributes: [{}],
    })
    const name = unique('copy')
    const { status, body } = await api.admin.post(`${path}/${original.id}-x/clone`, { provisioning_template: { name } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name, template: '<%= 1 %>\n', locked: false, description: 'd' })
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect((await api.admin.get(`${path}/${body.id}`)).body).toMatchObject({
      operatingsystems: [{ id: debian.id }],
      template_kind_name: 'provision',
      template_combinations: [],
      organizations: original.organizations,
      locations: original.locations,
    })
  })

  test('needs a name of its own, and an original that may be seen', async () => {
    const original = await newTemplate()
    const cloned = (name: unknown) =>
      api.admin.post(`${path}/${original.id}/clone`, { provisioning_template: { name } })
    expect((await cloned('')).body.error).toMatchObject({ id: null, errors: { name: ["can't be blank"] } })
    expect((await cloned(undefined)).body.error.errors).toEqual({ name: ["can't be blank"] })
    expect((await cloned(original.name)).body.error.errors).toEqual({ name: ['has already been taken'] })
    expect((await api.admin.post(`${path}/99999/clone`, { name: 'x' })).status).toBe(404)
    const creator = await api.can(['create_provisioning_templates'])
    expect((await creator.post(`${path}/${original.id}/clone`, { name: unique('x') })).status).toBe(403)
  })
})

describe('a text with its description at its head', () => {
  test('is what is exported', async () => {
    const name = unique('exported')
    const made = await newTemplate({
      ...{
        name,
        template: '<%#\nname: old\nrequire: x\n-%>\nbody\n',
        operatingsystem_ids: [debian.id],
        description: 'a: b',
      },
      ...{ organization_ids: [1], location_ids: [] },
    })
    const { status, text, headers } = await api.admin.get(`${path}/${made.id}/export`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toBe(
      `<%#\nname: ${name}\nsnippet: false\ndescription: "a: b"\nmodel: ProvisioningTemplate\nkind: provision\noses:\n- Debian\norganizations:\n- Default Organization\nrequire: x\n-%>\nbody\n`,
    )
    const remark = await newTemplate({ template: '<%# only a remark %>\nbody' })
    expect((await api.admin.get(`${path}/${remark.id}/export`)).text).toMatch(/-%>\n<%# only a remark %>\nbody$/)
  })

  test('makes a template when it is imported, or changes the one of its name', async () => {
    const name = unique('imported')
    const template = `<%#\nname: ${name}\nkind: PXELinux\noses:\n- Debian 12\norganizations:\n- Default Organization\n-%>\nbody`
    const imported = (provisioning_template: object, options?: object) =>
      api.admin.post(`${path}/import`, { provisioning_template, options })
    const { status, body } = await imported({ template })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name,
      template,
      snippet: false,
      template_kind_id: kinds.get('PXELinux'),
      locked: false,
    })
    const shown = async () => (await api.admin.get(`${path}/${body.id}`)).body
    expect(await shown()).toMatchObject({ operatingsystems: [{ id: debian.id }], organizations: [{ id: 1 }] })
    await put(body.id, { operatingsystem_ids: [] })
    expect((await imported({ template: `${template} 2` }, { lock: true })).body).toMatchObject({
      id: body.id,
      locked: true,
    })
    expect(await shown()).toMatchObject({ template: `${template} 2`, operatingsystems: [] })
    expect((await imported({ template }, { associate: 'always' })).status).toBe(422)
    expect((await imported({ template }, { associate: 'always', force: true })).status).toBe(201)
    expect(await shown()).toMatchObject({ template, locked: true, operatingsystems: [{ id: debian.id }] })
    const snippet = { name: unique('snippet'), template: '<%#\nsnippet: true\n-%>\nbbbb' }
    expect((await imported(snippet)).body).toMatchObject({ ...snippet, snippet: true, template_kind_id: null })
  })

  test('is refused when it cannot be read', async () => {
    const refused = async (body: object) => {
      const answer = await api.admin.post(`${path}/import`, body)
      return [answer.status, Object.keys(answer.body.error.errors ?? {})]
    }
    expect(await refused({ provisioning_template: {} })).toEqual([422, ['template', 'name', 'template_kind_id']])
    const bomb = `a: &a [x, x]\n${Array.from({ length: 20 }, (_, i) => `k${i}: &k${i} [*${i ? `k${i - 1}` : 'a'}, *a]\n`).join('')}`
    for (const head of ['a: [', '['.repeat(4_900), 'x'.repeat(20_000), bomb, 'a: !!binary x\nb: *c'])
      expect(await refused({ provisioning_template: { name: 'x', template: `<%#\n${head}\n%>` } })).toEqual([
        ...[422, ['template']],
      ])
    expect(await refused({ provisioning_template: { name: 'x', template: 'x' }, options: { associate: 'x' } })).toEqual(
      [400, []],
    )
  })
})
