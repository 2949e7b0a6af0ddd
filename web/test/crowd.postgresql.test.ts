import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// Operations on more records than a page shows.

const COUNT = 10_050
const PORTION = 250

describe.skipIf(!chromium)('more than ten thousand records', { timeout: 900_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    for (let made = 0; made < COUNT; made += PORTION * 10) {
      const operations = Array.from({ length: Math.min(PORTION * 10, COUNT - made) }, (_, place) => {
        const name = `Crowd ${String(made + place).padStart(5, '0')}`
        return { method: 'POST', path: '/api/models', body: { model: { name } } }
      })
      const { status } = await api.admin.post('/api/batch', { operations }, { prefer: 'return=minimal' })
      expect(status).toBe(200)
    }
    admin = await browser.open(await api.listen())
    await admin.page.goto('/models?search=name+~+Crowd')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 600_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const changed = async () => (await api.admin.get('/api/models?search=info+%3D+together&per_page=1')).body.subtotal

  test('are changed in portions, with progress, up to where it is cancelled, and then to the end', async () => {
    const { page } = admin
    const dialog = page.getByRole('dialog')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
    await page.getByRole('button', { name: 'Select all 10,050 matching records' }).press('Enter')
    await page.getByRole('button', { name: 'Bulk edit' }).press('Enter')
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption('info')
    await page.locator('#field-info').fill('together')
    let portions = 0
    const cancelled = Promise.withResolvers<void>()
    await page.route('**/api/batch*', async (route) => {
      portions++
      if (portions === 3) await cancelled.promise
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    await dialog.getByText('500 of 10,050').waitFor()
    const progress = dialog.getByRole('progressbar')
    expect(Number(await progress.getAttribute('aria-valuenow'))).toBeCloseTo((500 / COUNT) * 100)
    await expectAccessible(page, 'very many being changed')
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    cancelled.resolve()
    await dialog.getByText('750 changed, 0 refused, 9,300 not tried').waitFor()
    expect(await changed()).toBe(750)

    await dialog.getByRole('button', { name: 'Try the rest again' }).press('Enter')
    await dialog.getByText('10,050 changed, 0 refused').waitFor({ timeout: 600_000 })
    await dialog.getByText('And 9,850 more').waitFor()
    await expectAccessible(page, 'very many changed')
    expect(await changed()).toBe(COUNT)
    expect(portions).toBe(Math.ceil(COUNT / PORTION))
  })
})
