import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { given } from '../../test/support/given.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'

// Which requests wait for others until the first row of a list is shown, and how much the first page loads. No time is measured:
// a request that is sent while others are held back does not wait for them.

/** The scripts of the first page, compressed; bench/rows/console.ts has the budget. */
const MOST_SCRIPT_BYTES = 195_000
/** The files and scripts of a list. */
const MOST_FILES = 16
const MOST_LIST_SCRIPT_BYTES = 250_000

interface Loaded {
  readonly path: string
  readonly bytes: number
}

describe.skipIf(!chromium)('the way to the first row', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    await given(api.admin, 'host', { name: 'first.lab.test' })
    admin = await browser.open(await api.listen())
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const row = (page: Page) => page.getByRole('link', { name: 'first.lab.test', exact: true })

  test('from a cold load, who is there, the page, what it knows, and its rows are asked for at once', async () => {
    const { page } = admin
    const asked = new Set<string>()
    const released = Promise.withResolvers<void>()
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/'),
      async (route) => {
        asked.add(new URL(route.request().url()).pathname)
        await released.promise
        await route.continue()
      },
    )
    await page.goto('/hosts')
    await expect.poll(() => [...asked].sort()).toEqual(['/api/current_user/permissions', '/api/hosts', '/api/session'])
    await expect.poll(() => listScripts(page)).toEqual(expect.arrayContaining([expect.stringMatching(/^hosts-/)]))
    released.resolve()
    await row(page).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('the shell names the scripts of the page that is asked for, so that they do not wait for each other', async () => {
    const shell = (await api.nobody.get('/hosts', { accept: 'text/html' })).text
    const named = [...shell.matchAll(/(?:src|rel="modulepreload"[^>]*href)="\.\/assets\/([^"]+\.js)"/g)].map(
      ([, file]) => file,
    )
    const { page } = admin
    await page.goto('/hosts')
    await row(page).waitFor()
    expect((await listScripts(page)).filter((file) => !named.includes(file))).toEqual([])
    const other = (await api.nobody.get('/shortcuts', { accept: 'text/html' })).text
    expect(other).not.toMatch(/assets\/hosts-/)
  })

  test('the first page loads the scripts that it needs, and the palette and the login dialog with the first key', async () => {
    const { page } = admin
    await page.goto('/', { waitUntil: 'networkidle' })
    const scripts = await listScripts(page)
    expect(scripts.filter((file) => /^(?:common|palette|login-dialog)-/.test(file))).toEqual([])
    expect(await measureScripts(page)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES)
    await page.keyboard.press('Control')
    await expect
      .poll(() => listScripts(page), { timeout: 20_000 })
      .toEqual(expect.arrayContaining([/^palette-/, /^login-dialog-/].map((name) => expect.stringMatching(name))))
  })

  test('from the click, the rows are asked for while the page is still on its way', async () => {
    const { page } = admin
    await page.goto('/shortcuts')
    await page.getByRole('heading', { level: 1, name: 'Keyboard shortcuts' }).waitFor()
    const released = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released.promise
      await route.continue()
    })
    const rows = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/hosts')
    const link = page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Hosts', exact: true })
    await link.evaluate((element: HTMLElement) => element.click())
    await rows
    released.resolve()
    await row(page).waitFor()
  })

  /** Opens an address until its list is there, and yields what was loaded: files of the console, and answers of the API. */
  async function load(address: string): Promise<Loaded[]> {
    const { page } = admin
    await page.goto(address)
    await page.getByRole('main').getByRole('grid').or(page.getByText('Nothing here yet')).first().waitFor()
    await page.waitForLoadState('networkidle')
    return page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => ({
        path: new URL(entry.name).pathname,
        bytes: (entry as PerformanceResourceTiming).encodedBodySize,
      })),
    )
  }
  const isNeeded = ({ path }: Loaded) => /\.(?:js|css)$/.test(path)

  test.each(['/users', '/settings', '/lifecycle_environments'])(
    'a cold load of %s is one round after the shell, in few files, and nothing is asked for twice',
    async (address) => {
      const loaded = await load(address)
      const shell = (await api.nobody.get(address, { accept: 'text/html' })).text
      const named = new Set([...shell.matchAll(/(?:src|href)="\.(\/[^"?]+)/g)].map(([, path]) => path))
      const files = loaded.filter(isNeeded)
      expect(files.filter(({ path }) => !named.has(path))).toEqual([])
      expect(files.length).toBeLessThanOrEqual(MOST_FILES)
      const scripts = files.filter(({ path }) => path.endsWith('.js'))
      expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_LIST_SCRIPT_BYTES)
      const asked = loaded.map(({ path }) => path).filter((path) => /^\/(?:content\/)?api\//.test(path))
      expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
      // Saved searches are asked for when the rows are there, which wait for nothing of them.
      const first = asked.filter((path) => !/\/(?:table_preferences|bookmarks)$/.test(path))
      expect(first.length).toBeGreaterThanOrEqual(3)
      expect(first.filter((path) => !named.has(path))).toEqual([])
    },
  )

  test('a cold load with a search asks for what the search finds, once', async () => {
    const asked: string[] = []
    admin.page.on('request', (request) => asked.push(request.url()))
    await load('/users?search=login+%3D+admin')
    const lists = asked.filter((url) => new URL(url).pathname === '/api/users')
    expect(lists.map((url) => new URL(url).searchParams.get('search'))).toEqual(['login = admin'])
  })

  test('before a login no list is shown', async () => {
    const { page, wrong } = await browser.open(new URL(admin.page.url()).origin)
    await page.goto('/users')
    await page.getByLabel('Password').waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    await logIn(page, ADMIN.login, ADMIN.password)
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor()
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

/** Lists the names of the scripts that the document has loaded. */
function listScripts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .flatMap((path) => /\/assets\/(.+\.js)$/.exec(path)?.[1] ?? []),
  )
}

/** Measures the bytes of the scripts that the document has loaded, as they were transferred. */
function measureScripts(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
}
