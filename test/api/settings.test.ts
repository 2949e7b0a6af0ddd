import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/settings/settings.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

// Core-api §11.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const put = (name: string, value: unknown) => api.admin.put(`/api/settings/${name}`, { setting: { value } })

describe('settings', () => {
  test('are listed with what they are for, their type, default and value', async () => {
    const { body } = await api.admin.get('/api/settings?per_page=all')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(Object.keys(SETTINGS).sort())
    expect((await api.admin.get('/api/settings/entries_per_page')).body).toMatchObject({
      name: 'entries_per_page',
      settings_type: 'integer',
      default: 20,
      value: 20,
      readonly: false,
      encrypted: false,
      select_values: null,
    })
  })

  test('count from the next request on', async () => {
    expect((await put('entries_per_page', 1)).body).toMatchObject({ value: 1, default: 20 })
    expect((await api.admin.get('/api/architectures')).body).toMatchObject({ per_page: 1, results: [{ name: 'i386' }] })
    expect((await put('entries_per_page', '7')).body.value).toBe(7)
    expect((await api.admin.get('/api/architectures')).body.per_page).toBe(7)
    await put('entries_per_page', 20)
  })

  test('refuse null and what is not of their type or too small', async () => {
    for (const value of [null, undefined]) {
      expect(await put('entries_per_page', value)).toMatchObject({
        status: 422,
        body: { error: { message: 'No setting value provided.' } },
      })
    }
    for (const value of ['many', '', 1.5, true, [], {}, -1, 0, 1e300, '1e3', '9'.repeat(30)]) {
      const { status, body } = await put('entries_per_page', value)
      expect(status, JSON.stringify(value)).toBe(422)
      expect(body.error.message, JSON.stringify(value)).toMatch(/^expected a value of type integer/)
    }
    expect((await put('failed_login_attempts_limit', 0)).status).toBe(200)
    await put('failed_login_attempts_limit', 30)
    expect((await api.admin.get('/api/settings/entries_per_page')).body.value).toBe(20)
  })

  test('cannot be made so large that the service could not live with it', async () => {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const { status, text } = await put(name, Number.MAX_SAFE_INTEGER)
      expect(status, name).toBe(422)
      if (setting.type === 'integer') expect(text).toContain(`a whole number from ${setting.min} to ${setting.max}`)
    }
  })

  test('say the time zone of dates in searches of users without one', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
    const search = new URLSearchParams({ search: `time > "${later}"` })
    const count = async () => (await api.admin.get(`/api/audits?${search}`)).body.subtotal
    expect(await count()).toBe(0)
    expect((await put('default_timezone', 'Nowhere/None')).status).toBe(422)
    expect((await put('default_timezone', 'Pacific/Kiritimati')).status).toBe(200)
    expect(await count()).toBeGreaterThan(0)
    await put('default_timezone', '')
  })

  test('are neither made nor deleted, and only their value is written', async () => {
    expect((await api.admin.post('/api/settings', { name: 'x', value: 1 })).status).toBe(404)
    expect((await api.admin.delete('/api/settings/entries_per_page')).status).toBe(404)
    const sent = { name: 'x', default: 5, category: 'y', value: 61 }
    const { status, body } = await api.admin.put('/api/settings/idle_timeout', sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'idle_timeout', default: 60, value: 61, category: 'Authentication' })
  })

  test('need their permissions', async () => {
    const viewer = await api.can(['view_settings'])
    expect((await viewer.get('/api/settings/idle_timeout')).status).toBe(200)
    expect((await viewer.put('/api/settings/idle_timeout', { value: 5 })).status).toBe(403)
    expect((await (await api.can([])).get('/api/settings')).status).toBe(403)
  })
})
