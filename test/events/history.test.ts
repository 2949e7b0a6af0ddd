import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('the history of a record has its changes, the newest first', async () => {
  const architecture = await expectCreated(api.admin.post('/api/architectures', { architecture: { name: 'first' } }))
  await api.admin.put(`/api/architectures/${architecture.id}`, { architecture: { name: 'second' } })
  await api.admin.put(`/api/architectures/${architecture.id}`, { architecture: { name: 'third' } })
  const { status, body } = await api.admin.get(`/api/architectures/${architecture.id}/history?per_page=2`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: 3, subtotal: 3, page: 1, per_page: 2 })
  expect(body.results).toMatchObject([
    { version: 3, user: 'admin', action: 'update', changes: { name: ['second', 'third'] } },
    { version: 2, user: 'admin', action: 'update', changes: { name: ['first', 'second'] } },
  ])
  const first = await api.admin.get('/api/architectures/third/history?per_page=2&page=2')
  expect(first.body.results).toMatchObject([{ version: 1, action: 'create', changes: { name: [null, 'first'] } }])
})

test('it is for those who may see the record and audits', async () => {
  const { id } = await expectCreated(api.admin.post('/api/models', { model: { name: 'watched' } }))
  const may = await api.can(['view_audit_logs', 'view_models'])
  expect((await may.get(`/api/models/${id}/history`)).body.results).toHaveLength(1)
  expect((await (await api.can(['view_models'])).get(`/api/models/${id}/history`)).status).toBe(403)
  expect((await (await api.can(['view_audit_logs'])).get(`/api/models/${id}/history`)).status).toBe(403)
  expect((await api.admin.get('/api/models/999999/history')).status).toBe(404)
  expect((await api.admin.get('/api/nothing/1/history')).status).toBe(404)
  expect((await api.admin.get('/api/audits/1/history')).status).toBe(404)
})

test('below /content/api, too', async () => {
  const place = await expectCreated(api.admin.post('/api/organizations', { organization: { name: 'ACME' } }))
  const path = '/content/api/products'
  const product = await expectCreated(api.admin.post(path, { name: 'tools', organization_id: place.id }))
  const { status, body, text } = await api.admin.get(`${path}/${product.id}/history`)
  expect(status, text).toBe(200)
  expect(body.results).toMatchObject([{ version: 1, changes: { name: [null, 'tools'] } }])
  const environments = '/content/api/environments'
  const { body: library } = await api.admin.get(`${environments}?organization_id=${place.id}&library=true`)
  let prior_id = library.results[0].id
  const made: number[] = []
  for (const name of ['dev', 'prod']) {
    prior_id = (await expectCreated(api.admin.post(environments, { name, organization_id: place.id, prior_id }))).id
    made.push(prior_id)
  }
  const [{ audit_id }] = (await api.admin.get(`${environments}/${made[0]}/history`)).body.results
  const refused = await api.admin.post(`/api/audits/${audit_id}/revert`)
  expect([refused.status, refused.body.error.errors]).toMatchObject([
    422,
    { base: [expect.stringContaining('has a successor')] },
  ])
})

test('a change is taken back by the rules of the record; later changes and secrets stand in the way', async () => {
  const { id } = await expectCreated(api.admin.post('/api/architectures', { architecture: { name: 'before' } }))
  await api.admin.put(`/api/architectures/${id}`, { architecture: { name: 'wrong' } })
  const versionsOf = async () => (await api.admin.get(`/api/architectures/${id}/history`)).body.results
  const [wrong] = await versionsOf()
  const preview = await api.admin.post(`/api/audits/${wrong.audit_id}/revert?preview=true`)
  expect(preview.body).toEqual({
    action: 'update',
    preview: true,
    changes: { name: ['wrong', 'before'] },
    record: null,
  })
  expect((await api.admin.get(`/api/architectures/${id}`)).body.name).toBe('wrong')
  const reader = await api.can(['view_audit_logs', 'view_architectures'])
  expect((await reader.post(`/api/audits/${wrong.audit_id}/revert`)).status).toBe(403)
  expect((await api.admin.post(`/api/audits/${wrong.audit_id}/revert`)).body.record).toMatchObject({ name: 'before' })
  expect((await versionsOf())[0]).toMatchObject({ version: 3, changes: { name: ['wrong', 'before'] } })
  const late = await api.admin.post(`/api/audits/${wrong.audit_id}/revert`)
  expect([late.status, late.body.error.errors]).toMatchObject([
    422,
    { name: [expect.stringContaining('was changed later')] },
  ])
  await api.admin.delete(`/api/architectures/${id}`)
  const { body } = await api.admin.get(
    `/api/audits?search=${encodeURIComponent(`auditable_id = ${id} and action = destroy and type = architecture`)}`,
  )
  const restored = await api.admin.post(`/api/audits/${body.results[0].id}/revert`)
  expect(restored.body).toMatchObject({ action: 'create', record: { name: 'before' } })
  const made = (await api.admin.get(`/api/architectures/before/history`)).body.results[0]
  expect((await api.admin.post(`/api/audits/${made.audit_id}/revert`)).body).toMatchObject({ action: 'destroy' })
  expect((await api.admin.get('/api/architectures/before')).status).toBe(404)
  expect((await api.admin.post('/api/audits/999999/revert')).status).toBe(404)
})
