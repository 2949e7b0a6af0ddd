import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN } from '../../test/support/api.ts'
import { chooseInMenu, chromium, findInaccessible, logIn, openBrowser, type Window } from './browser.ts'
import { hearService } from './german.ts'
import { findTurned, findWide, go, settled, walk } from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// What menus and their entries open, for whoever reads German: those over lists (columns, density, exports, saved searches, what is
// done to many, a rollout) and those of the masthead.

const LISTS = ['/models', '/hosts', '/users'].map((path) => `${path}?search=id+%3E+0&selected=all`)

describe.skipIf(!chromium)('what entries of menus open', { timeout: 600_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let site: HostileSite
  let window: Window
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    site = await openHostileSite()
    window = await browser.open(await site.world.api.listen(), { locale: 'de-DE' })
    page = window.page
  }, 240_000)
  afterEach(() => expect(window.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  test('is German, has names as texts and no more width than the window, and everybody can use it', async () => {
    const listForeign = hearService(page)
    await page.goto('/shortcuts')
    await logIn(page, ADMIN.login, ADMIN.password)
    const seen = new Set<string>()
    const look = async (what: string, part = '[role=dialog]') =>
      [
        ...(await listForeign()),
        ...(await findTurned(page)),
        ...(await findWide(page)),
        ...(await findInaccessible(page, part)),
      ]
        .filter((text) => !seen.has(text) && seen.add(text))
        .map((text) => `${what}: ${text}`)
    const button = (name: RegExp | string) => page.locator('main').getByRole('button', { name })
    const dialog = page.getByRole('dialog')
    const opened: string[] = []
    const enter = async (name: string) => {
      await page.getByRole('menuitem', { name, exact: true }).press('Enter')
      opened.push(name)
    }
    const leave = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    const wrong = await walk(LISTS, async (path) => {
      await go(page, path)
      await settled(page)
      const found: string[] = []
      await button('Aktionen').press('Enter')
      await page.getByRole('menuitem', { name: 'Spalten wählen', exact: true }).waitFor()
      found.push(...(await look('Aktionen', '[role=menu]')))
      await enter('Spalten wählen')
      await dialog.waitFor()
      found.push(...(await look('Spalten wählen')))
      await leave()
      for (const entry of ['Als CSV ausgeben', 'Als JSON ausgeben']) {
        // The export stands still while it is looked at.
        const held = Promise.withResolvers<void>()
        const isPortion = (url: URL) => url.searchParams.has('after')
        await page.route(isPortion, async (route) => {
          await held.promise
          await route.continue().catch(() => undefined)
        })
        await button('Aktionen').press('Enter')
        await enter(entry)
        await dialog.getByRole('progressbar').waitFor()
        found.push(...(await look(entry)))
        await leave()
        held.resolve()
        await page.unroute(isPortion)
      }
      await button('Diese Suche speichern').press('Enter')
      opened.push('Diese Suche speichern')
      await dialog.waitFor()
      await dialog.getByRole('textbox').first().press('Enter')
      await dialog.locator('.pf-m-error').first().waitFor()
      found.push(...(await look('Diese Suche speichern')))
      await leave()
      for (const name of ['Gemeinsam bearbeiten', /^Löschen \(/]) {
        if (typeof name === 'string') await button(name).press('Enter')
        else await chooseInMenu(page, / ausgewählt$/, name)
        await dialog.waitFor()
        opened.push(String(name))
        found.push(...(await look(String(name))))
        const fields = dialog.locator('#change-field option')
        for (let at = 1; at < (await fields.count()); at++) {
          await dialog.locator('#change-field').selectOption({ index: at })
          found.push(...(await look(`${name} ${at}`)))
        }
        await leave()
      }
      await button('Aktionen').press('Enter')
      await enter('Enge Zeilen')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      found.push(...(await look('Enge Zeilen', 'main')))
      if (!path.startsWith('/hosts')) return found
      await button('Aktionen').press('Enter')
      await enter('Konfiguration dieser Hosts ausführen')
      await page.waitForURL('**/config_rollouts/new?**')
      await settled(page)
      return [...found, ...(await look('Konfiguration ausführen', 'main'))]
    })
    expect(wrong).toEqual([])
    expect(opened).toHaveLength(LISTS.length * 7 + 1)

    const masthead: string[] = []
    const menu = page.locator(':is([role=menu], [role=listbox])')
    const toggles = page.locator('header button[aria-expanded]:not(.pf-m-plain)')
    expect(await toggles.count()).toBe(3)
    for (const toggle of await toggles.all()) {
      await toggle.press('Enter')
      await menu.waitFor()
      masthead.push(...(await look('Kopfzeile', ':is([role=menu], [role=listbox])')))
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
    }
    expect(masthead).toEqual([])
  })
})
