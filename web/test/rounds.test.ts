import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'

// How much is sent until a list is there, and in how many rounds: whatever the shell does not name waits for a script.

const MOST_FILES = 16
const MOST_SCRIPT = 250_000

interface Loaded {
  readonly path: string
  readonly bytes: number
}

describe.skipIf(!chromium)('a cold load of a list', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    admin = await browser.open(await api.listen())
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
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
    'of %s is one round after the shell, in few files, and nothing is asked for twice',
    async (address) => {
      const loaded = await load(address)
      const shell = (await api.nobody.get(address, { accept: 'text/html' })).text
      const named = new Set([...shell.matchAll(/(?:src|href)="\.(\/[^"?]+)/g)].map(([, path]) => path))
      const files = loaded.filter(isNeeded)
      expect(files.filter(({ path }) => !named.has(path))).toEqual([])
      expect(files.length).toBeLessThanOrEqual(MOST_FILES)
      const scripts = files.filter(({ path }) => path.endsWith('.js'))
      expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_SCRIPT)
      const asked = loaded.map(({ path }) => path).filter((path) => /^\/(?:content\/)?api\//.test(path))
      expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
      const first = asked.filter((path) => !path.endsWith('/table_preferences'))
      expect(first.length).toBeGreaterThanOrEqual(3)
      expect(first.filter((path) => !named.has(path))).toEqual([])
    },
  )

  test('with a search asks for what the search finds, once', async () => {
    const asked: string[] = []
    admin.page.on('request', (request) => asked.push(request.url()))
    await load('/users?search=login+%3D+admin')
    const lists = asked.filter((url) => new URL(url).pathname === '/api/users')
    expect(lists.map((url) => new URL(url).searchParams.get('search'))).toEqual(['login = admin'])
  })

  test('before a login asks no more than after it, and nothing is shown', async () => {
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
