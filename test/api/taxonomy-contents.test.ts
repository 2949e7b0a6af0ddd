import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTENTS } from '../../src/areas/places/contents.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Core-api §11: locations and organizations list their records, and writes add and remove them.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const KINDS = [
  ['organization', 'organizations', 'location'],
  ['location', 'locations', 'organization'],
] as const
const kinds = Object.entries(CONTENTS)
const singular = (name: string) => (name === 'media' ? 'medium' : name.replace(/ies$/, 'y').replace(/s$/, ''))

describe.each(KINDS)('%s', (kind, plural, opposite) => {
  const put = (id: number, body: object, caller = api.admin) => caller.put(`/api/${plural}/${id}`, { [kind]: body })

  test('shows its keys in order', async () => {
    const keys = Object.keys(await given(api.admin, kind))
    const from = keys.indexOf('select_all_types')
    expect(keys.slice(from, from + 3 + kinds.length + 1)).toEqual([
      ...['select_all_types', 'hosts_count', 'users', ...Object.keys(CONTENTS), `${opposite}s`],
    ])
  })

  test.each(kinds)('takes in and gives away %s', async (name, { target, show }) => {
    const record = await given(api.admin, target)
    const { id } = await given(api.admin, kind, { [`${singular(name)}_ids`]: [record.id] })
    const { body } = await api.admin.get(`/api/${plural}/${id}`)
    expect(body[name]).toHaveLength(1)
    expect(Object.keys(body[name][0])).toEqual([...show, 'inherited'])
    expect(body[name][0]).toMatchObject({ id: record.id, name: record.name, inherited: false })
    if (show.some((key) => key === 'created_at')) expect(body[name][0].created_at).toBe(record.created_at)
    expect((await api.admin.get(`/api/${plural}/${id}/${name}`)).body.results.map((one: Shown) => one.id)).toEqual([
      record.id,
    ])
    expect((await put(id, { [`${singular(name)}_ids`]: [] })).body[name]).toEqual([])
  })

  test('shows what it inherits, and never twice', async () => {
    const [above, both, own] = [
      await given(api.admin, 'domain'),
      await given(api.admin, 'domain'),
      await given(api.admin, 'domain'),
    ]
    const root = await given(api.admin, kind, { domain_ids: [above.id, both.id] })
    const leaf = await given(api.admin, kind, { parent_id: root.id, domain_ids: [both.id, own.id] })
    const inherited = (shown: Shown) => Object.fromEntries(shown.domains.map((one: Shown) => [one.id, one.inherited]))
    expect(inherited(leaf)).toEqual({ [above.id]: true, [both.id]: false, [own.id]: false })
    expect(inherited((await api.admin.get(`/api/${plural}/${root.id}`)).body)).toEqual({
      [above.id]: false,
      [both.id]: false,
    })
    expect((await put(leaf.id, { domain_ids: [own.id] })).body.domains).toHaveLength(3)
  })

  test('shows its members, and those of what it lies in', async () => {
    const [above, own] = [
      await given(api.admin, 'user', { description: 'an overseer' }),
      await given(api.admin, 'user'),
    ]
    const root = await given(api.admin, kind, { user_ids: [above.id] })
    const leaf = await given(api.admin, kind, { parent_id: root.id, user_ids: [own.id] })
    expect(leaf.users).toEqual([
      { id: above.id, login: above.login, description: 'an overseer', inherited: true },
      { id: own.id, login: own.login, description: null, inherited: false },
    ])
    expect((await put(leaf.id, { user_ids: [] })).body.users).toMatchObject([{ id: above.id }])
  })

  test('takes in every record of a type for administrators only', async () => {
    const types = ['Subnet', 'SmartProxy', 'Medium', 'ProvisioningTemplate']
    const { id } = await given(api.admin, kind, { ignore_types: types })
    const other = await given(api.admin, opposite, { ignore_types: types })
    expect((await api.admin.get(`/api/${plural}/${id}`)).body.select_all_types).toEqual(types)
    const subnet = await given(api.admin, 'subnet')
    const member = await api.can(['view_subnets', `view_${plural}`, `edit_${plural}`], {
      [`${kind}_ids`]: [id],
      [`${opposite}_ids`]: [other.id],
    })
    expect((await member.get('/api/subnets?per_page=all')).body.results.map((one: Shown) => one.id)).toContain(
      subnet.id,
    )
    expect((await put(id, { ignore_types: [...types, 'Realm'] }, member)).body.error.errors).toEqual({
      ignore_types: ['can be extended by administrators only'],
    })
  })

  test.each(kinds)('lets %s in and out only by those who may change them', async (name, { target }) => {
    const key = `${singular(name)}_ids`
    const { id } = await given(api.admin, kind)
    const inside = { [`${kind}_ids`]: [id], [`${opposite}_ids`]: [(await given(api.admin, opposite)).id] }
    const hidden = await given(api.admin, target)
    const theirs = await given(api.admin, target, inside)
    const verbs = [`view_${plural}`, `edit_${plural}`]
    const plain = await api.can([...verbs, `view_${name}`, `edit_${name}`], inside)
    expect((await put(id, { [key]: [] }, plain)).body.error.errors).toEqual({
      [key]: [`cannot be changed without the permission assign_${plural}`],
    })
    const viewer = await api.can([...verbs, `assign_${plural}`, `view_${name}`], inside)
    expect((await put(id, { [key]: [] }, viewer)).body.error.errors[key][0]).toMatch(/that you may not change$/)
    const editor = await api.can([...verbs, `assign_${plural}`, `view_${name}`, `edit_${name}`], inside)
    expect((await put(id, { [key]: [theirs.id, hidden.id] }, editor)).status).toBe(422)
    expect((await put(id, { [key]: [theirs.id], description: 'kept' }, editor)).status).toBe(200)
    expect((await put(id, { [key]: [] }, editor)).body[name]).toEqual([])
  })
})
