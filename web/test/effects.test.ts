import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { given } from '../../test/support/given.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// The forms of filters, roles and user groups show who would gain and lose what, before anything is stored.

describe.skipIf(!chromium)('before it is saved', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let window: Window
  let role: number
  let filter: number
  let group: number

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    role = Number((await given(api.admin, 'role', { name: 'watchers' })).id)
    const { results } = (await api.admin.get('/api/permissions?search=name+=+view_hosts')).body
    const sent = { role_id: role, permission_ids: [results[0].id] }
    filter = Number((await expectCreated(api.admin.post('/api/filters', { filter: sent }))).id)
    const user = await given(api.admin, 'user', { login: 'ada' })
    group = Number((await given(api.admin, 'usergroup', { name: 'night', user_ids: [user.id], role_ids: [role] })).id)
    window = await browser.open(await api.listen())
    await window.page.goto('/')
    await logIn(window.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const show = async () => {
    await window.page.getByRole('button', { name: 'Show the effect' }).press('Enter')
    return window.page.getByRole('region', { name: 'Who gains, who loses' })
  }

  test('a filter names who would lose', async () => {
    const { page, wrong } = window
    await page.goto(`/filters/${filter}/edit`)
    await page.locator('#field-search').fill('name = web.example.test')
    const shown = await show()
    await shown.getByRole('region', { name: 'Losses' }).getByText('1 user (ada)').waitFor()
    await expectAccessible(page, 'the effect of a filter')
    await page.locator('#field-search').fill('name = db.example.test')
    await shown.getByText('You have changed the form since').waitFor()
    expect((await api.admin.get(`/api/filters/${filter}`)).body.search).toBeNull()
    expect(wrong.splice(0)).toEqual([])
  })

  test('a user group and a role say that nobody gains or loses where nothing changes', async () => {
    for (const path of [`/usergroups/${group}/edit`, `/roles/${role}/edit`]) {
      await window.page.goto(path)
      await (await show()).getByText('Nobody gains or loses anything.').waitFor()
    }
    expect(window.wrong.splice(0)).toEqual([])
  })
})
