import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'
import { type Addresses, listAddresses } from './walk-pages.ts'
import { go, settled, walk } from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// What somebody may not do is not offered: the console asks for nothing that the service refuses to the caller. So nothing of
// what it does by itself is logged as an attempt.

const PASSWORD = 'long enough'

describe.skipIf(!chromium)('to whom it is not allowed', { timeout: 1_200_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let site: HostileSite
  let address: string
  let addresses: Addresses
  const windows: Window[] = []

  beforeAll(async () => {
    browser = await openBrowser()
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

  async function openAs(permissions: readonly string[]): Promise<User> {
    const { api, place } = site.world
    const { login, id } = await api.can(permissions)
    const user = { password: PASSWORD, organization_ids: [place.organization_id], location_ids: [place.location_id] }
    expect((await api.admin.put(`/api/users/${id}`, { user })).status).toBe(200)
    const window = await browser.open(address)
    windows.push(window)
    const { page } = window
    const refused: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() === 403) refused.push(`${response.request().method()} ${pathname} is refused`)
    })
    await page.goto('/shortcuts')
    await logIn(page, login, PASSWORD)
    return { page, refused }
  }

  test('with no permission at all, nothing is asked for that is refused, neither after a link nor from a cold load', async () => {
    const { page, refused } = await openAs([])
    const wrong = await walk([...addresses.whole, ...addresses.ofRecords].filter(isKnown), async (path) => {
      await go(page, path)
      await settled(page)
      return [...refused.splice(0), ...(path === '/account' ? [] : await findOffers(page))]
    })
    const searched = ['/hosts?search=name+~+web', '/hosts/1/config_runs?per_page=50', '/audits', '/users/1/ssh_keys']
    const cold = await walk([...addresses.ofEach, ...searched].filter(isKnown), async (path) => {
      await page.goto(path)
      await settled(page)
      return refused.splice(0).map((one) => `from a cold load ${one}`)
    })
    expect([...wrong, ...cold]).toEqual([])
  })
})

interface User {
  readonly page: Page
  /** The requests that were refused. */
  readonly refused: string[]
}

/** Lists what a page offers that changes records: a user who may only view them must not find it. */
function findOffers(page: Page): Promise<string[]> {
  return page.locator('main :is(button, a[href])').evaluateAll((offers) =>
    offers.flatMap((offer) => {
      const name = offer.getAttribute('aria-label') ?? offer.textContent ?? ''
      const leads = offer instanceof HTMLAnchorElement && /\/(?:new|edit)$/.test(new URL(offer.href).pathname)
      const isButton = offer.matches('button, .pf-v6-c-button')
      return leads || (isButton && /^(?:Delete|Edit|Create|Save|Change)\b/.test(name)) ? [`offers ${name}`] : []
    }),
  )
}

/** Whose a task is only the service knows: everybody has a list of their own ones. */
function isKnown(path: string): boolean {
  return !/^\/tasks\/\d/.test(path)
}
