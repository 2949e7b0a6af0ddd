import { readFile, stat } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { storeHeavyModels } from '../../test/support/heavy-models.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// Exports of lists: pages by key, each record once, one portion at a time.

const MANY = 2500
const NAMES = Array.from({ length: MANY }, (_, place) => `Model ${String(place + 1).padStart(5, '0')}`)

describe.skipIf(!chromium)('an export', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    const operations = NAMES.map((name) => ({ method: 'POST', path: '/api/models', body: { model: { name } } }))
    for (let start = 0; start < MANY; start += 500)
      await api.admin.post('/api/batch', { operations: operations.slice(start, start + 500) })
    admin = await browser.open(await api.listen())
    page = admin.page
    await page.goto('/models?search=name+~+Model&order=name+ASC')
    await logIn(page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const isPortion = (url: URL) => url.pathname === '/api/models' && url.searchParams.has('after')
  const begin = async (entry: string) => {
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menuitem', { name: entry }).press('Enter')
  }
  const read = async (download: Download) => readFile(await download.path(), 'utf8')

  test('has every record once, in portions by key, whatever is written meanwhile', async () => {
    let asked = 0
    await page.route(isPortion, async (route) => {
      if (++asked === 2) {
        await api.admin.post('/api/models', { model: { name: 'Model 00000 of those that were read already' } })
        await api.admin.delete(`/api/models/${await idOf('Model 00001')}`)
      }
      await route.continue()
    })
    const [download] = await Promise.all([page.waitForEvent('download'), begin('Export as JSON')])
    await page.unroute(isPortion)
    expect(download.suggestedFilename()).toBe('models.json')
    const records: { name: string }[] = JSON.parse(await read(download))
    expect(records.map(({ name }) => name)).toEqual(NAMES)
    expect(asked).toBe(3)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  async function idOf(name: string): Promise<number> {
    const { body } = await api.admin.get(`/api/models?search=${encodeURIComponent(`name = "${name}"`)}`)
    return body.results[0].id
  }

  test('goes on after an error where it was, and is CSV with the columns of the list', async () => {
    let asked = 0
    await page.route(isPortion, (route) => (++asked === 2 ? route.abort() : route.continue()))
    await begin('Export as CSV')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The service cannot be reached.').waitFor()
    await dialog.getByText(/^Exported 1,000 of 2,5\d\d$/).waitFor()
    await expectAccessible(page, 'an export that failed')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Try again' }).press('Enter'),
    ])
    await page.unroute(isPortion)
    const [head, ...lines] = (await read(download)).trimEnd().split('\r\n')
    expect(head?.split(',')[0]).toBe('name')
    expect(lines.map((line) => line.split(',')[0]).slice(1)).toEqual(NAMES.slice(1))
    expect(asked).toBe(4)
  })

  test('ends when it is cancelled, and leaves nothing behind', async () => {
    let asked = 0
    const held = Promise.withResolvers<void>()
    await page.route(isPortion, async (route) => {
      if (++asked === 2) await held.promise
      await route.continue().catch(() => undefined)
    })
    await begin('Export as CSV')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Exported 1,000 of 2,5\d\d$/).waitFor()
    const files = () =>
      page.evaluate(async () => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('exports')
        const names: string[] = []
        for await (const name of folder.keys()) if (!name.endsWith('.crswap')) names.push(name)
        return names
      })
    const before = await files()
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    held.resolve()
    await expect.poll(files).toHaveLength(before.length - 1)
    await page.unroute(isPortion)
    expect(asked).toBe(2)
  })

  test('of 20,000 records keeps one portion in memory, and the others on the disk', async () => {
    await storeHeavyModels(api.database, 20_000)
    await page.goto('/models?search=name+~+Heavy')
    await page.getByRole('button', { name: 'Actions' }).waitFor()
    const session = await page.context().newCDPSession(page)
    const measure = async () => {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      const stored = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
      return { usedSize, stored }
    }
    const measured: Awaited<ReturnType<typeof measure>>[] = []
    let asked = 0
    await page.route(isPortion, async (route) => {
      if ([3, 20].includes(++asked)) measured.push(await measure())
      await route.continue()
    })
    const [download] = await Promise.all([page.waitForEvent('download'), begin('Export as JSON')])
    await page.unroute(isPortion)
    const [early, late] = measured
    const grownBy = (key: 'usedSize' | 'stored') => (late?.[key] ?? Number.NaN) - (early?.[key] ?? Number.NaN)
    expect((await stat(await download.path())).size).toBeGreaterThan(38_000_000)
    expect(grownBy('usedSize')).toBeLessThan(4_000_000)
    expect(grownBy('stored')).toBeGreaterThan(30_000_000)
  })
})
