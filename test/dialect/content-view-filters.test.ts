import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What of its repositories a view is to have is kept, with what the type of a filter allows its rules to say.

const FILTERS = '/katello/api/content_view_filters'
let api: BothListeners
let view: Shown
let inside: Shown
let outside: Shown
beforeAll(async () => {
  api = await openBothListeners()
  const product = await given(api.ours, 'product')
  const repository = (name: string) =>
    given(api.ours, 'repository', { name, product_id: product.id, content_type: 'yum' })
  inside = await repository('inside')
  outside = await repository('outside')
  view = await given(api.ours, 'content_view', { organization_id: 1, name: 'filtered', repository_ids: [inside.id] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const filter = (body: object) => api.theirs.post(FILTERS, { content_view_id: view.id, ...body })
const rulesOf = ({ id }: Shown) => `${FILTERS}/${id}/rules`

test('a filter is made, found, changed and deleted, on its own path and below its view', async () => {
  const below = `/katello/api/content_views/${view.id}/filters`
  const sent = { name: 'no games', type: 'rpm', description: 'For work', repository_ids: [inside.id] }
  const made = await expectCreated(filter({ ...sent, original_packages: true }))
  const repositories = [{ id: inside.id, name: 'inside', label: 'inside', content_type: 'yum' }]
  const shown = { name: 'no games', type: 'rpm', description: 'For work', inclusion: false, original_packages: true }
  expect(made).toMatchObject({ ...shown, content_view: { id: view.id, name: 'filtered' }, repositories, rules: [] })
  const errata = await expectCreated(api.theirs.post(below, { name: 'errata', type: 'erratum', inclusion: true }))
  expect(errata).toMatchObject({ content_view: { id: view.id }, inclusion: true, repositories: [] })
  for (const [query, names] of [
    [`content_view_id=${view.id}`, ['errata', 'no games']],
    [`content_view_id=${view.id}&name=errata`, ['errata']],
    ['types[]=rpm&types[]=deb', ['no games']],
    ['search=type%3Derratum', ['errata']],
  ] as const) {
    const { body } = await api.theirs.get(`${FILTERS}?${query}`)
    expect([query, body.results.map(({ name }: Shown) => name)]).toEqual([query, names])
  }
  expect((await api.theirs.get(`${below}?order=id`)).body.results).toMatchObject([{ id: made.id }, { id: errata.id }])
  expect((await api.theirs.get(`${FILTERS}/auto_complete_search?search=inclus`)).text).toContain('inclusion')
  const changed = await api.theirs.put(`${FILTERS}/${made.id}`, { name: 'none', content_view_id: view.id })
  expect(changed).toMatchObject({ status: 200, body: { ...made, name: 'none', updated_at: expect.any(String) } })
  expect((await api.theirs.get(`${below}/${made.id}`)).body).toEqual(changed.body)
  expect((await api.theirs.get(`/katello/api/content_views/${view.id}`)).body).toMatchObject({ filtered: true })
  const audits = await api.theirs.get('/api/audits?search=type%3Dcontent_view_filter')
  expect(audits.body.results.map(({ action }: Shown) => action)).toEqual(['update', 'create', 'create'])
  for (const { id } of [made, errata]) expect((await api.theirs.delete(`${FILTERS}/${id}`)).status).toBe(200)
  expect((await api.theirs.get(`/katello/api/content_views/${view.id}`)).body).toMatchObject({ filtered: false })
})

test('a filter that cannot be is refused with the key that is wrong', async () => {
  await expectCreated(filter({ name: 'kept', type: 'docker' }))
  const whole = await given(api.ours, 'content_view', { organization_id: 1, name: 'composed', composite: true })
  for (const [sent, key, status = 422] of [
    [{ name: 'x' }, 'type'],
    [{ name: 'x', type: 'srpm' }, 'type'],
    [{ type: 'rpm' }, 'name'],
    [{ name: 'kept', type: 'rpm' }, 'name'],
    [{ name: 'x', type: 'rpm', original_module_streams: true }, 'original_module_streams'],
    [{ name: 'x', type: 'erratum', original_packages: true }, 'original_packages'],
    [{ name: 'x', type: 'rpm', repository_ids: [outside.id] }, 'repository_ids'],
    [{ name: 'x', type: 'rpm', repository_ids: [999_999] }, undefined, 404],
    [{ name: 'x', type: 'rpm', content_view_id: whole.id }, 'content_view_id'],
    [{ name: 'x', type: 'rpm', content_view_id: 1 }, undefined, 400],
  ] as const) {
    const answer = await filter(sent)
    expect([sent, answer.status, Object.keys(answer.body.errors)[0]]).toEqual([sent, status, key ?? '0'])
  }
  const { id } = (await api.theirs.get(`${FILTERS}?name=kept`)).body.results[0]
  for (const [key, value] of Object.entries({ type: 'rpm', content_view_id: whole.id }))
    expect((await api.ours.put(`/content/api/content_view_filters/${id}`, { [key]: value })).status).not.toBe(200)
  expect((await api.theirs.get(`${FILTERS}?types=srpm`)).status).toBe(400)
})

test('rules say what the type of their filter allows, several names at once make several', async () => {
  const byType = new Map<string, Shown>()
  for (const type of ['rpm', 'deb', 'package_group', 'erratum', 'docker', 'modulemd'])
    byType.set(type, await expectCreated(filter({ name: `of ${type}`, type })))
  const sendTo = (type: string, body: object) => api.theirs.post(rulesOf(byType.get(type) as Shown), body)
  for (const [type, sent, shown = {}] of [
    ['rpm', { name: 'bash', min_version: '4.0', max_version: '5.0', architecture: 'x86_64' }],
    ['rpm', { content_view_filter_rule: { name: ['kernel*'], version: '6.1' } }, { name: 'kernel*', version: '6.1' }],
    ['deb', { name: 'vim', version: '9.0' }],
    ['package_group', { name: 'Games', uuid: '3cd26f91-7b0a' }],
    ['erratum', { errata_id: 'RHSA-2026:0001' }, { date_type: null }],
    ['erratum', { start_date: '2026-01-31', end_date: '2026-02-28', types: ['bugfix'] }, { date_type: 'updated' }],
    ['erratum', { types: ['security'], date_type: 'issued' }],
    ['docker', { name: 'latest' }],
  ] as const) {
    const { id, status, body } = { ...(await sendTo(type, sent)), id: byType.get(type)?.id }
    const expected = 'content_view_filter_rule' in sent ? shown : { ...sent, ...shown }
    expect([type, sent, status, body]).toMatchObject([type, sent, 201, { ...expected, content_view_filter_id: id }])
  }
  const several = await sendTo('docker', { name: ['v1', 'v2'] })
  expect(several.body).toMatchObject({ name: 'v1', results: [{ name: 'v1' }, { name: 'v2' }] })
  expect((await sendTo('erratum', { errata_ids: ['A-1', 'A-2'] })).body.results).toHaveLength(2)
  for (const [type, sent, key] of [
    ['rpm', {}, 'name'],
    ['rpm', { name: 'x', version: '1', min_version: '1' }, 'version'],
    ['rpm', { name: 'x', errata_id: 'A-1' }, 'errata_id'],
    ['rpm', { name: ['y', { z: 1 }] }, 'name'],
    ['docker', { name: 'x', version: '1' }, 'version'],
    ['package_group', {}, 'uuid'],
    ['erratum', {}, 'base'],
    ['erratum', { errata_id: 'A-1' }, 'errata_id'],
    ['erratum', { errata_id: 'A-3', types: ['bugfix'] }, 'errata_id'],
    ['erratum', { errata_ids: 'A-3' }, 'base'], // what is no list is ignored
    ['erratum', { start_date: '2026-02-30' }, 'start_date'],
    ['erratum', { start_date: '2026-02-03', end_date: '2026-02-02' }, 'end_date'],
    ['erratum', { types: ['fun'] }, 'types'],
    ['erratum', { types: ['bugfix'], date_type: 'read' }, 'date_type'],
    ['modulemd', { name: 'x' }, 'name'],
    ['modulemd', { module_stream_ids: [1] }, 'module_stream_ids'],
  ] as const) {
    const { status, body } = await sendTo(type, sent)
    expect([type, sent, status, Object.keys(body.errors ?? body)]).toMatchObject([
      type,
      sent,
      422,
      expect.arrayContaining([key]),
    ])
  }
  const docker = byType.get('docker') as Shown
  const found = await api.theirs.get(`${rulesOf(docker)}?search=${encodeURIComponent('name="v2"')}`)
  expect(found.body).toMatchObject({ total: 3, subtotal: 1, results: [{ name: 'v2' }] })
  const rule = `${rulesOf(docker)}/${found.body.results[0].id}`
  expect(await api.theirs.put(rule, { name: 'v3' })).toMatchObject({ status: 200, body: { name: 'v3' } })
  expect((await api.theirs.put(rule, { uuid: 'x' })).body.errors).toHaveProperty('uuid')
  expect((await api.theirs.get(rule)).body).toMatchObject({ name: 'v3', content_view_filter_id: docker.id })
  expect((await api.theirs.delete(rule)).status).toBe(200)
  const listed = await api.theirs.get(`${rulesOf(byType.get('erratum') as Shown)}?errata_id=A-2`)
  expect(listed.body.results).toMatchObject([{ errata_id: 'A-2' }])
  expect((await api.theirs.get(`${FILTERS}/${docker.id}`)).body.rules).toMatchObject([
    { name: 'latest' },
    { name: 'v1' },
  ])
})

test('several filters of a view are deleted at once, all or none', async () => {
  const names = ['first', 'second', 'third']
  const made = await Promise.all(names.map((name) => expectCreated(filter({ name: `gone ${name}`, type: 'rpm' }))))
  const path = `/katello/api/content_views/${view.id}/remove_filters`
  const [first, second, third] = made.map(({ id }) => id)
  for (const filter_ids of [[first, 999_999], [], 'all', ['x'], null]) {
    const { status, body } = await api.theirs.put(path, { filter_ids })
    expect([filter_ids, status, Object.keys(body.errors)]).toEqual([filter_ids, 422, ['filter_ids']])
  }
  const ids = async () =>
    (await api.theirs.get(`${FILTERS}?content_view_id=${view.id}&per_page=100`)).body.results.map(({ id }: Shown) => id)
  expect(await ids()).toEqual(expect.arrayContaining([first, second, third]))
  const removed = await api.theirs.put(path, { filter_ids: [first, second] })
  expect(removed).toMatchObject({ status: 200, body: { id: view.id, name: view.name } })
  const left = await ids()
  expect([left.includes(first), left.includes(second), left.includes(third)]).toEqual([false, false, true])
  expect((await api.theirs.put(path, { filter_ids: [first] })).status).toBe(422)
  expect(
    (await api.theirs.put('/katello/api/content_views/999999/remove_filters', { filter_ids: [third] })).status,
  ).toBe(404)
})

test('a copy of a view has filters of its own, and a view takes its filters along', async () => {
  const made = await expectCreated(filter({ name: 'copied', type: 'deb', repository_ids: [inside.id] }))
  await expectCreated(api.theirs.post(rulesOf(made), { name: 'vim', version: '9.0' }))
  const copy = await expectCreated(api.theirs.post(`/katello/api/content_views/${view.id}/copy`, { name: 'copy' }))
  const { body } = await api.theirs.get(`${FILTERS}?content_view_id=${copy.id}&name=copied`)
  const shown = { type: 'deb', repositories: [{ id: inside.id }], rules: [{ name: 'vim', version: '9.0' }] }
  expect(body.results).toMatchObject([{ ...shown, content_view: { id: copy.id, name: 'copy' } }])
  expect(body.results[0].id).not.toBe(made.id)
  expect((await api.theirs.get(`${FILTERS}/${made.id}`)).body).toMatchObject(shown)
})
