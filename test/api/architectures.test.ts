import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('a new installation has the architectures that nearly everybody needs', async () => {
  const { status, body } = await api.admin.get('/api/architectures')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    total: 2,
    subtotal: 2,
    page: 1,
    per_page: 20,
    search: null,
    sort: { by: null, order: null },
  })
  expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['i386', 'x86_64'])
})

test('a viewer sees architectures but cannot delete them', async () => {
  const viewer = await api.can(['view_architectures'])
  expect(await viewer.get('/api/architectures/x86_64')).toMatchObject({ status: 200, body: { name: 'x86_64' } })
  expect(await viewer.delete('/api/architectures/x86_64')).toMatchObject({
    status: 403,
    body: {
      error: {
        message: 'Access denied',
        details: 'Missing one of the required permissions: destroy_architectures',
        missing_permissions: ['destroy_architectures'],
      },
    },
  })
})
