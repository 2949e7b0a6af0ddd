import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toErrorAnswer } from '../../src/http/answers/errors.ts'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { isInTurn } from '../../test/support/cover.ts'
import { createLook } from './anew.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'
import { hearService } from './german.ts'
import { type Addresses, listAddresses, tickedAtFirst } from './walk-pages.ts'
import {
  findTurned,
  findUndesigned,
  findWide,
  go,
  isForData,
  settled,
  settledOrLost,
  titled,
  WAITING,
  walk,
} from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// Visits a page of each component in every state, and of the pages that are derived for each resource what stands for all
// (`chosen`). Problems of several pages are reported together.

const TELEPHONE = { width: 360, height: 740 }
const USUAL = { width: 1280, height: 800 }
const LARGE = { width: 3840, height: 2160 }

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
    readonly viewport?: { readonly width: number; readonly height: number }
  }

  async function openAs(
    login: string,
    password: string,
    { at = address, viewport, ...options }: Opening = {},
  ): Promise<Page> {
    const window = await browser.open(at, { locale: 'en-US', ...options })
    windows.push(window)
    await window.page.goto('/shortcuts')
    await logIn(window.page, login, password)
    if (viewport) await window.page.setViewportSize(viewport)
    return window.page
  }

  test('of the table of pages and of the resources none is left out', () => {
    expect(addresses.missing).toEqual([])
  })

  test('hostile names are texts and turn nothing around, everybody can use the page, no window is too narrow, and all but what the service says is German', async () => {
    const page = await openAs(ADMIN.login, ADMIN.password, { locale: 'de-DE', viewport: USUAL })
    const listForeign = hearService(page)
    const seen = new Set<string>()
    // To lay a page out anew takes as long as to draw it: each is looked at first as wide as the one before was at last.
    let widths = [TELEPHONE, USUAL]
    const wrong = await walkThrough(page, addresses.chosen, async (path, tab) => {
      widths = widths.toReversed()
      const found: string[] = []
      for (const viewport of addresses.ofEach.includes(path) ? widths.toSpliced(1, 0, LARGE) : widths) {
        if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport)
        const there = [...(await findTurned(page)), ...(await findWide(page))]
        if (viewport === USUAL) {
          there.push(...(await listForeign()).filter((text) => !seen.has(text) && seen.add(text)))
          there.push(...(await findInaccessibleAnew(page)))
          if (tab === 1) there.push(...(await findMisticked(page, path)))
        }
        found.push(...there.map((one) => `${viewport.width} pixels wide: ${one}`))
      }
      return found
    })
    expect(wrong).toEqual([])
  })

  // One visit goes through all states; none loads before the last, so that nothing is known from a page before.
  test('while the service takes its time, cannot be reached and fails, every page says so in words, and is there after another try', async () => {
    const page = await openAs(ADMIN.login, ADMIN.password)
    let path = '/'
    let asked = 0
    let pagesThatAsked = 0
    let state: State | null = null
    const held: Route[] = []
    await page.route(isForData, (route) => {
      // On a busy machine a request of the page before may come late.
      if (isFrom(path, route) && !isOfHead(path, route)) asked++
      if (state === null) return route.continue()
      if (state.answer === 'none') return void held.push(route)
      if (state.answer === 'lost') return route.abort()
      const { pathname } = new URL(route.request().url())
      const { status, body } = toErrorAnswer(state.answer, pathname.startsWith('/content/') ? 'content' : 'core')
      return route.fulfill({ status, json: body })
    })
    const again = page.locator('main').getByRole('button', { name: 'Try again' })
    const tryAgain = () => again.evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).click())) // the role finds elements of HTML
    const say = async (next: State) => {
      if (asked > 0 && next.says !== '') {
        await page.locator('main').getByText(next.says).first().waitFor()
        await settledOrLost(page) // parts of a page get their answers one after the other
      }
      const found = [
        ...(await findUndesigned(page, { says: asked > 0 ? next.says : null })),
        ...(await findTurned(page)),
        ...(await findInaccessibleAnew(page)),
      ]
      return found.map((one) => `${next.called}: ${one}`)
    }
    const visit = async (next: string) => {
      path = next
      asked = 0
      state = WAITS
      const isCold = addresses.ofEach.includes(path)
      if (isCold) await page.goto(path)
      else await go(page, path)
      if (isCold) await page.locator('main :is(h1, .pf-v6-c-spinner)').first().waitFor()
      else await titled(page)
      // What is never answered is waited for for ever, once the page has asked.
      if (asked > 0) await page.waitForFunction((sign) => document.querySelector(sign) !== null, WAITING)
      const found = await say(WAITS)
      state = LOST
      for (const route of held.splice(0)) await route.abort()
      await settledOrLost(page)
      if (asked > 0) pagesThatAsked++
      found.push(...(await say(LOST)))
      state = FAILS
      await tryAgain()
      found.push(...(await say(FAILS)))
      if (!isCold) return found
      state = null
      while ((await again.count()) > 0) {
        await tryAgain()
        await settledOrLost(page)
      }
      await settled(page)
      return found
    }
    // One component waits for all lists, one for all records and one for all forms. What pages load at last is known to those
    // after them for a few seconds, so that those in turn, which go on from another page, come first.
    const inTurn = addresses.chosen.filter((one) => !addresses.ofEach.includes(one) && isInTurn(one))
    const paths = [...inTurn, ...addresses.ofEach]
    expect(await walk(paths, visit)).toEqual([])
    expect(pagesThatAsked).toBeGreaterThan(paths.length / 2)
  })

  test('before there is anything, every list and every page without a record can be used by everybody', async () => {
    await using api: TestApi = await openTestApi()
    const page = await openAs(ADMIN.login, ADMIN.password, { at: await api.listen() })
    const wrong = await walk(
      addresses.whole.filter(
        (path) => addresses.ofEach.includes(path) || (addresses.chosen.includes(path) && isInTurn(path)),
      ),
      async (path) => {
        await go(page, path.replace(/organization_id=\d+/, 'organization_id=1'))
        await settled(page)
        return findWrong(page)
      },
    )
    expect(wrong).toEqual([])
  })
})

/** Visits the pages, and looks at each as it opens and at what its tabs show. */
function walkThrough(
  page: Page,
  paths: readonly string[],
  look: (path: string, tab: number) => Promise<string[]>,
): Promise<string[]> {
  return walk(paths, async (path) => {
    await go(page, path)
    await settled(page)
    const found = await look(path, 1)
    const tabs = page.locator('main').getByRole('tab')
    for (let at = 1; at < (await tabs.count()); at++) {
      await tabs.nth(at).press('Enter')
      await settled(page)
      found.push(...(await look(path, at + 1)).map((one) => `tab ${at + 1}: ${one}`))
    }
    return found
  })
}

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

interface State {
  readonly called: string
  readonly answer: 'none' | 'lost' | Error
  readonly says: string
}

const WAITS: State = { called: 'while the service takes its time', answer: 'none', says: '' }
const LOST: State = { called: 'without a network', answer: 'lost', says: 'The service cannot be reached.' }
const FAILS: State = { called: 'after a fault', answer: new Error('fault'), says: 'An error occurred in the service.' }

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
