import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { permissionsOf } from '../../src/kernel/routes.ts'
import { type Caller, expectCreated } from '../../test/support/api.ts'
import { isInTurn } from '../../test/support/cover.ts'
import type { FormField } from '../src/resources/description.ts'
import { createLook } from './anew.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'
import { type Addresses, listAddresses } from './walk-pages.ts'
import {
  closeOpened,
  FREE,
  findTurned,
  findUndesigned,
  findWide,
  go,
  settled,
  settledOrLost,
  walk,
} from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// What somebody may not do is not offered: the console asks for nothing that the service refuses to the caller. So nothing of
// what it does by itself is logged as an attempt, and no button, link or entry of a menu leads to a refusal.

const PASSWORD = 'long enough'

describe.skipIf(!chromium)('to whom it is not allowed', { timeout: 1_200_000 }, () => {
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
    return { id, caller: api.as({ authorization: `Basic ${btoa(`${login}:${PASSWORD}`)}` }), page, refused }
  }

  test('with no permission at all, every page says which one is missing, and asks for nothing that is refused, neither after a link nor from a cold load', async () => {
    const { page, refused } = await openAs([])
    const wrong = await walk(addresses.chosen.filter(isKnown), async (path) => {
      await go(page, path)
      await settled(page)
      // Without the permission to view records some are not there, as are those below them; few are everybody's own.
      const isGone = (await page.getByText('Record not found.').count()) > 0
      const isOwn = isGone || FREE.includes(path) || /^\/(?:bookmarks|tasks|users\/\d+\/\w+\/new)/.test(path)
      const found = await findUndesigned(page, { says: isOwn ? null : 'You need one of these permissions' })
      return [...found, ...refused.splice(0), ...(path === '/account' ? [] : await findOffers(page))]
    })
    const cold = await walk(
      addresses.ofEach.filter((path) => isInTurn(path)),
      async (path) => {
        await page.goto(path)
        await page.waitForFunction(() => document.querySelector('main :is(h1, h2)') !== null)
        await settledOrLost(page)
        const isFree = FREE.includes(path)
        const isTold = (await page.locator('main').getByText(REFUSAL).count()) > 0
        const said = isFree === isTold ? [isFree ? 'is refused' : 'is not refused'] : []
        const asked = isKnown(path) ? refused.splice(0) : []
        refused.splice(0)
        return [...said, ...asked, ...(await findTurned(page)), ...(await findWide(page)), ...(await findAnew(page))]
      },
    )
    const searched = ['/hosts?search=name+~+web', '/hosts/1/config_runs?per_page=50', '/audits', '/users/1/ssh_keys']
    const ofSearches = await walk(searched, async (path) => {
      await page.goto(path)
      await settled(page)
      return refused.splice(0)
    })
    expect([...wrong, ...cold.map((one) => `from a cold load ${one}`), ...ofSearches]).toEqual([])
  })

  test('with permissions to view, each button, link and entry of a menu that is offered does what it says', async () => {
    const names = permissionsOf(assembleResources()).map(({ name }) => name)
    const { id, caller, page, refused } = await openAs(names.filter((name) => name.startsWith('view_')))
    const own = ['', '/edit', '/ssh_keys', '/ssh_keys/new'].map((path) => `/users/${id}${path}`)
    const lists = ['models', 'hosts', 'users'].map((plural) => `/${plural}?search=id+%3E+0&selected=all`)
    const { api, place } = site.world
    // Records of no organization are seen by administrators only.
    const scope = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
    const placed = ['provisioning_template', 'auth_source_ldap', 'domain'].map((word) => ({
      word,
      path: `/${word}s/${site.records.get(`${word}s`)?.at(-1)?.id}`,
    }))
    for (const { word, path } of placed)
      expect((await api.admin.put(`/api${path}`, { [word]: scope })).status).toBe(200)
    const pressed = new Set<string>()
    const followed = new Set<string>()
    const rollout = await startRollout(id, caller)
    await visit(rollout)
    const atRunning = await pressAll('a running rollout')
    // Pages of what runs never say that they have loaded everything.
    expect((await api.admin.put(`/api${rollout}/cancel`)).status).toBe(200)
    const visible = await listAddresses({ caller, organization: place.organization_id, records: new Map() })
    const pages = new Set([
      ...visible.ofEach.filter((path) => !path.includes(':')),
      ...placed.flatMap(({ path }) => [path, `${path}/edit`]),
      ...Object.values(site.pages).filter((path) => !path.startsWith('/config_rollouts/')),
      rollout,
      ...visible.ofRecords.filter((path) => /^\/(?:users|roles|hostgroups|config_runs|content_views)\/\d+$/.test(path)),
      ...['organizations', 'config_runs', 'config_rollouts', 'configclasses', 'activation_keys'].map(
        (list) => `/${list}`,
      ),
      ...own,
      ...lists,
    ])
    const wrong = await walk([...pages], async (path) => {
      await visit(path)
      const look = async () => [
        ...(own.includes(path) || path === '/account' ? [] : await findOffers(page)),
        ...(await pressAll(kindOf(path))),
        ...(await followAll()),
        ...refused.splice(0),
      ]
      const gone = await page.locator('main').getByText('Record not found.').allTextContents()
      const found = [...gone, ...(await look())]
      const tabs = page.locator('main').getByRole('tab')
      for (let at = 1; at < (await tabs.count()); at++) {
        await tabs.nth(at).press('Enter')
        await settled(page)
        found.push(...(await look()).map((one) => `tab ${at + 1}: ${one}`))
      }
      return found
    })
    expect([...atRunning, ...wrong]).toEqual([])
    expect(pressed.size).toBeGreaterThan(50)
    expect(followed.size).toBeGreaterThan(50)

    /** Starts a rollout of this user, who afterwards may not start one any more: others do not see it. */
    async function startRollout(user: number, by: Caller): Promise<string> {
      const { body } = await api.admin.get(`/api/users/${user}`)
      const filter = { role_id: body.roles[0].id, permission_names: ['configrun_hosts'] }
      const given = await expectCreated(api.admin.post('/api/filters', { filter }))
      const started = await expectCreated(
        by.post('/api/config_rollouts', { config_rollout: { search: 'name = web1.example.test' } }),
      )
      expect((await api.admin.delete(`/api/filters/${given.id}`)).status).toBe(200)
      return `/config_rollouts/${started.id}`
    }

    /** Presses each button of this page, and what it opens: rows have the same ones. */
    async function pressAll(kind: string): Promise<string[]> {
      const here = page.url().slice(address.length)
      const found: string[] = []
      for (const name of await listButtons(page)) {
        if (pressed.has(`${kind} ${name}`)) continue
        pressed.add(`${kind} ${name}`)
        found.push(...(await press(name)))
        for (const entry of await page.getByRole('menuitem').allTextContents()) {
          if ((await page.getByRole('menuitem').count()) === 0) await press(name)
          const item = page.getByRole('menuitem', { name: entry, exact: true })
          if ((await item.count()) === 0 || !(await item.first().isEnabled())) continue
          pressed.add(`${kind} ${name} ${entry}`)
          await item.first().press('Enter')
          found.push(...(await hear(entry)))
          await leave(here)
        }
        await leave(here)
      }
      return found
    }

    async function press(name: string): Promise<string[]> {
      await page.evaluate(pressNamed, { selector: BUTTONS, name })
      return hear(name)
    }

    /** Waits for what follows, saves what is asked for in a dialog, and tells what was refused. */
    async function hear(name: string): Promise<string[]> {
      await settledOrLost(page)
      const save = page.getByRole('dialog').locator('button.pf-m-primary:enabled')
      if ((await save.count()) > 0) {
        for (const box of await page.getByRole('dialog').locator('input[type=text]').all()) await box.fill('typed')
        await save.first().press('Enter')
        await settledOrLost(page)
      }
      return refused.splice(0).map((one) => `${name}: ${one}`)
    }

    async function leave(here: string): Promise<void> {
      await closeOpened(page)
      if (page.url().slice(address.length) !== here) await visit(here)
    }

    /** Follows each kind of link of this page once. */
    async function followAll(): Promise<string[]> {
      const here = page.url().slice(address.length)
      const fresh = (await linksOf(page)).filter((href) => {
        const kind = kindOf(href)
        return !followed.has(kind) && followed.add(kind)
      })
      const found: string[] = []
      for (const href of fresh) {
        await go(page, href)
        await settled(page)
        const texts = await page.locator('main').getByText(REFUSAL).allTextContents()
        found.push(...[...texts, ...refused.splice(0)].map((text) => `links to ${href}: ${text}`))
      }
      if (fresh.length > 0) await visit(here)
      return found
    }

    async function visit(path: string): Promise<void> {
      for (const next of ['/shortcuts', path]) {
        if (page.url().slice(address.length) === next) continue
        await go(page, next)
        await settled(page)
      }
    }
  })

  test('of their own account only what they may change is offered, and the form says which permission the rest needs', async () => {
    const { id, caller: own, page } = await openAs([])
    const { api } = site.world
    const path = `/users/${id}`
    await page.goto(`${path}/edit`)
    await settled(page)
    const { update } = JSON.parse(await readFile(DESCRIBED_USERS, 'utf8'))
    const shown = await listFields(page)
    const said = await page.locator('form').getByText('you need one of these permissions: edit_users').textContent()
    const closed = (update as FormField[]).filter(({ key }) => !shown.includes(key))
    expect(said).toMatch(/^Login, .*Disabled.*Roles.*Organizations: /)
    await page.getByText('Administrator: only administrators may set this.').waitFor()
    // What is not offered would be refused, and what is offered is stored.
    const { body: stored } = await api.admin.get(`/api${path}`)
    const others: Readonly<Record<string, unknown>> = {
      login: 'renamed',
      mail_enabled: !stored.mail_enabled,
      admin: true,
      disabled: true,
      auth_source_id: site.records.get('auth_source_ldaps')?.at(-1)?.id,
      role_ids: [],
      location_ids: [],
      organization_ids: [],
    }
    expect(closed.map(({ key }) => key)).toEqual(Object.keys(others))
    for (const [key, value] of Object.entries(others)) {
      const { status } = await own.put(`/api${path}`, { user: { [key]: value } })
      expect(status, key).toBe(422)
    }
    const typed = {
      firstname: 'Ada',
      lastname: 'Byron',
      mail: 'ada@lab.test',
      description: 'typed',
      timezone: 'Europe/Berlin',
    }
    for (const [key, value] of Object.entries(typed)) await page.locator(`#field-${key}`).fill(value)
    await page.locator('#field-password').fill('even longer than before')
    await page.locator('#field-current_password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Edit' }).waitFor()
    expect((await api.admin.get(`/api${path}`)).body).toMatchObject(typed)
  })

  test('who may edit users is not offered to make administrators, of one or of many', async () => {
    const { page } = await openAs(['view_users', 'edit_users', 'create_users'])
    const { api, place } = site.world
    const other = await api.can([], { organization_ids: [place.organization_id], location_ids: [place.location_id] })
    for (const path of ['/users/new', `/users/${other.id}/edit`]) {
      await page.goto(path)
      await page.locator('#field-login').waitFor()
      const shown = await listFields(page)
      expect(shown).toContain('disabled')
      expect(shown).not.toContain('admin')
      await page.getByText('Administrator: only administrators may set this.').waitFor()
    }
    await page.goto(`/users?search=id+%3D+${other.id}&selected=all`)
    await page.getByRole('button', { name: 'Bulk edit' }).press('Enter')
    const fields = page.getByRole('dialog').locator('#change-field option')
    await fields.first().waitFor({ state: 'attached' })
    const keys = await fields.evaluateAll((options) => options.map((one) => one.getAttribute('value')))
    expect(keys).toContain('disabled')
    expect(keys).not.toContain('admin')
  })
})

interface User {
  readonly id: number
  /** The same user without a browser. */
  readonly caller: Caller
  readonly page: Page
  /** The requests that were refused. */
  readonly refused: string[]
}

const DESCRIBED_USERS = new URL('../src/generated/resources/users.json', import.meta.url)

/** Lists the fields of the form. */
function listFields(page: Page): Promise<(string | undefined)[]> {
  return page
    .locator('form [data-field]')
    .evaluateAll((fields) => fields.map((one) => (one as HTMLElement).dataset['field']))
}

const BUTTONS =
  'main button:not([role=tab], th button, .pf-v6-c-pagination__nav button, [aria-disabled=true], :disabled)'
const findAnew = createLook()
const REFUSAL = /You need one of these permissions/

/** Lists the names of the buttons of the page, without those that end a session. */
async function listButtons(page: Page): Promise<string[]> {
  const names = await page
    .locator(BUTTONS)
    .evaluateAll((buttons) => buttons.map((one) => one.ariaLabel ?? one.textContent))
  return [...new Set(names.filter((name) => !/\bEnd\b|Log out/.test(name)))]
}

/** Presses the first button of this name. */
function pressNamed({ selector, name }: { readonly selector: string; readonly name: string }): Promise<void> {
  const buttons = [...document.querySelectorAll<HTMLElement>(selector)]
  const found = buttons.find((one) => (one.ariaLabel ?? one.textContent) === name)
  found?.focus()
  found?.click()
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
}

/** Lists the addresses of the console that the page links to. */
function linksOf(page: Page): Promise<string[]> {
  return page.locator('main a[href]').evaluateAll((links) =>
    links.flatMap((link) => {
      const { origin, pathname, search } = new URL((link as HTMLAnchorElement).href) // the selector finds only these
      const isOwn = origin === location.origin && !/^\/(?:api|content\/api|docs)\b/.test(pathname)
      return isOwn && !link.hasAttribute('download') ? [pathname + search] : []
    }),
  )
}

/** Yields the address with every name and number taken away. */
function kindOf(href: string): string {
  const [path = ''] = href.split('?', 1)
  return path.replace(/^\/hosts\/(?!new$)[^/]+/, '/hosts/N').replace(/\/\d+/g, '/N')
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
