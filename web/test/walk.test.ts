import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toErrorAnswer } from '../../src/http/errors.ts'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { createLook } from './anew.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'
import { hearService } from './german.ts'
import { type Addresses, listAddresses, tickedAtFirst } from './walk-pages.ts'
import { findTurned, findWide, go, isForData, settled, settledOrLost, WAITING, walk } from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// Visits every page of the table of pages, for every resource and in every state. Problems of several pages are reported
// together.

const NEW_PASSWORD = 'long enough'

describe.skipIf(!chromium)('every page', { timeout: 1_200_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let site: HostileSite
  let address: string
  let addresses: Addresses
  const windows: Window[] = []

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    site = await openHostileSite()
    const { api, place } = site.world
    address = await api.listen()
    addresses = await listAddresses({ caller: api.admin, organization: place.organization_id, records: site.records })
  }, 240_000)
  afterEach(() => expect(windows.flatMap(({ wrong }) => wrong.splice(0))).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  interface Opening {
    readonly at?: string
    readonly locale?: string
    /** Axe, which judges colours, needs what is painted. */
    readonly isPainted?: boolean
  }

  async function openAs(login: string, password: string, { at = address, ...options }: Opening = {}): Promise<Page> {
    const window = await browser.open(at, { locale: 'en-US', ...options })
    windows.push(window)
    await window.page.goto('/shortcuts')
    await logIn(window.page, login, password)
    return window.page
  }

  test('of the table of pages and of the resources none is left out', () => {
    expect(addresses.missing).toEqual([])
  })

  // One walk for both: `walk-open` looks at hostile names in English, on a telephone.
  test('hostile names are texts and turn nothing around, everybody can use the page, and all but what the service says is German', async () => {
    const page = await openAs(ADMIN.login, ADMIN.password, { locale: 'de-DE' })
    const listForeign = hearService(page)
    const seen = new Set<string>()
    const look = async () => [
      ...(await listForeign()).filter((text) => !seen.has(text) && seen.add(text)),
      ...(await findWrong(page)),
    ]
    const wrong = await walk([...addresses.whole, ...addresses.ofRecords], async (path) => {
      await go(page, path)
      await settled(page)
      const found = [...(await look()), ...(await findMisticked(page, path))]
      const tabs = page.locator('main').getByRole('tab')
      for (let at = 1; at < (await tabs.count()); at++) {
        await tabs.nth(at).press('Enter')
        await settled(page)
        found.push(...(await look()).map((one) => `tab ${at + 1}: ${one}`))
      }
      return found
    })
    expect(wrong).toEqual([])
  })

  test('while the service takes its time, every page says so', async () => {
    const page = await openAs(ADMIN.login, ADMIN.password)
    const held: Route[] = []
    await page.route(isForData, (route) => void held.push(route))
    const wrong = await walk(addresses.ofEach, async (path) => {
      await page.goto(path)
      await page.waitForFunction(() => document.querySelector('main :is(h1, .pf-v6-c-spinner)') !== null)
      if (held.some((route) => !isOfHead(path, route))) await page.locator(WAITING).first().waitFor()
      const found = await findWrong(page)
      for (const route of held.splice(0)) await route.abort()
      // What this page asks for once more is not taken for a request of the next one.
      await page.goto('about:blank')
      held.splice(0)
      return found
    })
    expect(wrong).toEqual([])
  })

  test('while the service cannot be reached, every page says so, and is there after another try', async () => {
    const page = await openAs(ADMIN.login, ADMIN.password)
    const wrong = await walk(addresses.ofEach, async (path) => {
      let lost = 0
      await page.route(isForData, (route) => {
        if (!isOfHead(path, route)) lost++
        return route.abort()
      })
      await page.goto(path)
      await page.waitForFunction(() => document.querySelector('main :is(h1, h2)') !== null)
      await settledOrLost(page)
      const found = await findWrong(page)
      await page.unroute(isForData)
      if (lost === 0) return found
      await page.locator('main').getByText('The service cannot be reached.').first().waitFor()
      const again = page.locator('main').getByRole('button', { name: 'Try again' })
      while ((await again.count()) > 0) {
        await again.evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).click()))
        await settledOrLost(page)
      }
      await settled(page)
      return found
    })
    expect(wrong).toEqual([])
  })

  test('a user without permissions learns on every page which one is missing', async () => {
    const { login, id } = await site.world.api.can([])
    const user = { password: NEW_PASSWORD, organization_ids: [site.world.place.organization_id] }
    expect((await site.world.api.admin.put(`/api/users/${id}`, { user })).status).toBe(200)
    const page = await openAs(login, NEW_PASSWORD)
    const wrong = await walk(addresses.ofEach, async (path) => {
      await page.goto(path)
      await page.waitForFunction(() => document.querySelector('main :is(h1, h2)') !== null)
      await settledOrLost(page)
      const isFree = FREE.includes(path)
      const isTold =
        (await page
          .locator('main')
          .getByText(/You need one of these permissions/)
          .count()) > 0
      return [...(await findWrong(page)), ...(isFree === isTold ? [isFree ? 'is refused' : 'is not refused'] : [])]
    })
    expect(wrong).toEqual([])
  })

  test.each(STATES)('$state: every list, record and form has its heading and says so in words', async (of) => {
    const page = await openAs(ADMIN.login, ADMIN.password, { isPainted: false })
    let path = '/'
    let asked = 0
    let pagesThatAsked = 0
    const held: Route[] = []
    await page.route(isForData, (route) => {
      // On a busy machine a request of the page before may come late.
      if (isFrom(path, route) && !isOfHead(path, route)) asked++
      const { pathname } = new URL(route.request().url())
      if (of.answer === 'none') return void held.push(route)
      if (of.answer === 'lost') return route.abort()
      const { status, body } = toErrorAnswer(of.answer, pathname.startsWith('/content/') ? 'content' : 'core')
      return route.fulfill({ status, json: body })
    })
    const wrong = await walk([...addresses.whole, ...addresses.ofRecords], async (next) => {
      path = next
      asked = 0
      await go(page, path)
      await page.locator('main h1:not([data-seen])').first().waitFor()
      if (of.answer !== 'none') await settledOrLost(page)
      // What is never answered is waited for for ever, once the page has asked.
      else if (asked > 0) await page.waitForFunction((sign) => document.querySelector(sign) !== null, WAITING)
      if (asked > 0) pagesThatAsked++
      const found = await findUndesigned(page, { says: asked > 0 ? of.says : null })
      for (const route of held.splice(0)) await route.abort()
      return found
    })
    expect(wrong).toEqual([])
    expect(pagesThatAsked).toBeGreaterThan(200)
  })

  test('a user without permissions learns which one is missing on every list, record and form', async () => {
    const { login, id } = await site.world.api.can([])
    const user = { password: NEW_PASSWORD, organization_ids: [site.world.place.organization_id] }
    expect((await site.world.api.admin.put(`/api/users/${id}`, { user })).status).toBe(200)
    const page = await openAs(login, NEW_PASSWORD, { isPainted: false })
    const wrong = await walk([...addresses.whole, ...addresses.ofRecords], async (path) => {
      await go(page, path)
      await settled(page)
      // Without the permission to view records some are not there, as are those below them; few are everybody's own.
      const isThere = (await page.getByText('Record not found.').count()) > 0
      if (isThere || FREE.includes(path) || /^\/(?:bookmarks|tasks|users\/\d+\/\w+\/new)/.test(path))
        return findUndesigned(page, { says: null })
      return findUndesigned(page, { says: 'You need one of these permissions' })
    })
    expect(wrong).toEqual([])
  })

  test('before there is anything, every list and every page without a record can be used by everybody', async () => {
    await using api: TestApi = await openTestApi()
    const page = await openAs(ADMIN.login, ADMIN.password, { at: await api.listen() })
    const wrong = await walk(addresses.whole, async (path) => {
      await go(page, path.replace(/organization_id=\d+/, 'organization_id=1'))
      await settled(page)
      return findWrong(page)
    })
    expect(wrong).toEqual([])
  })
})

/** Tells whether the page of this path has sent a request, by its referrer. */
function isFrom(path: string, route: Route): boolean {
  const { referer } = route.request().headers()
  return referer === undefined || new URL(referer).pathname === new URL(path, referer).pathname
}

/** Tells whether a request is for the masthead: it shows the name of the organization, the page does not. */
function isOfHead(path: string, route: Route): boolean {
  const id = /organization_id=(\d+)/.exec(path)?.[1]
  return new URL(route.request().url()).pathname === `/api/organizations/${id}`
}

/** Lists what is left over in a state of a page: parts that wait for ever, and texts for programmers. */
async function findUndesigned(page: Page, { says }: { readonly says: string | null }): Promise<string[]> {
  const { text, waits, again } = await page.evaluate((waiting) => {
    const main = document.querySelector('main')
    const buttons = [...(main?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)
    return {
      text: main?.textContent ?? '',
      waits: document.querySelector(waiting) !== null,
      again: buttons.includes('Try again'),
    }
  }, WAITING)
  const found = [...(await findWide(page))]
  if (/Failed to fetch|\bundefined\b|\[object |TypeError|\bNaN\b/.test(text)) found.push(`says ${text.slice(0, 300)}`)
  if (says === null) return found
  if (says === '') return waits ? found : [...found, 'does not wait']
  if (waits) found.push('waits for ever')
  if (!text.includes(says)) found.push(`does not say “${says}” but ${JSON.stringify(text.slice(0, 200))}`)
  if (!again && !says.startsWith('You need')) found.push('has no other try')
  return found
}

const STATES = [
  { state: 'while the service takes its time', answer: 'none', says: '' },
  { state: 'without a network', answer: 'lost', says: 'The service cannot be reached.' },
  { state: 'after a fault', answer: new Error('fault'), says: 'An error occurred in the service.' },
] as const

/** Pages that every user with a login has. */
const FREE = ['/', '/start', '/account', '/shortcuts']

const findInaccessibleAnew = createLook()

async function findWrong(page: Page): Promise<string[]> {
  return [...(await findTurned(page)), ...(await findWide(page)), ...(await findInaccessibleAnew(page))]
}

/**
 * Lists boxes in the form of a new record whose initial state differs from the schema; that of hosts comes from their form.
 */
async function findMisticked(page: Page, path: string): Promise<string[]> {
  const [, plural = ''] = /(\w+)\/new(?:\?|$)/.exec(path) ?? []
  if (plural === '' || plural === 'hosts') return []
  const ticked = await page.locator('main form input[type=checkbox][name]:checked').evaluateAll((boxes) => {
    return boxes.map((box) => box.getAttribute('name') ?? '')
  })
  const expected = tickedAtFirst(plural)
  return ticked.sort().join() === expected.join() ? [] : [`ticked is ${ticked.join()} and not ${expected.join()}`]
}
