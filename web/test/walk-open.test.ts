import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN } from '../../test/support/api.ts'
import { isInTurn } from '../../test/support/cover.ts'
import {
  chooseInMenu,
  chromium,
  confirmDeletion,
  findInaccessible,
  logIn,
  openBrowser,
  type Window,
} from './browser.ts'
import { hearService } from './german.ts'
import { type Addresses, listAddresses } from './walk-pages.ts'
import { closeOpened, findTurned, findWide, go, settled, WAITING, walk } from './walk-steps.ts'
import { HOSTILE, type HostileSite, openHostileSite } from './walk-world.ts'

// Opens what pages only show on request: menus, dialogs and the palette. And follows the focus through the pages of the table on a
// telephone, and through some of them on a large screen. The records have hostile names.

const TELEPHONE = { width: 360, height: 740 }
const LARGE = { width: 3840, height: 2160 }

describe.skipIf(!chromium)('what pages show on request', { timeout: 1_200_000 }, () => {
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

  async function openAs(
    options: Parameters<typeof browser.open>[1],
    size = { width: 1280, height: 800 },
  ): Promise<Page> {
    const window = await browser.open(address, options)
    windows.push(window)
    await window.page.goto('/shortcuts')
    await logIn(window.page, ADMIN.login, ADMIN.password)
    await window.page.setViewportSize(size)
    return window.page
  }

  test('menus, dialogs and messages are German, names in them are texts, and everybody can use them', async () => {
    const page = await openAs({ locale: 'de-DE' })
    const listForeign = hearService(page)
    await page.reload()
    await settled(page)
    const seen = new Set<string>()
    const looked = new Set<string>()
    const look = async () => {
      await page.waitForFunction((waiting) => document.querySelector(waiting) === null, WAITING)
      return [...(await listForeign()), ...(await findTurned(page)), ...(await findWide(page))].filter(
        (text) => !seen.has(text) && seen.add(text),
      )
    }
    const paths = ['models', 'hosts', 'users'].map((plural) => `/${plural}?selected=all`)
    let opened = 0
    const wrong = await walk([...paths, ...addresses.ofEach], async (path) => {
      await go(page, path)
      await settled(page)
      const found: string[] = []
      const buttons = page.locator(OPENING)
      const added = new Set<string>()
      for (let at = 0; at < (await buttons.count()); at++) {
        const button = buttons.nth(at)
        // A list that is loaded again may have shown it for the last time.
        if (!(await button.isVisible())) continue
        const name = (await button.textContent()) || (await button.getAttribute('aria-label')) || ''
        if (ENDING.test(name) || added.has(name) || !(await button.isEnabled())) continue
        if (ADDING.test(name)) added.add(name)
        await button.press('Enter')
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        opened++
        found.push(...(await look()).map((one) => `${name}: ${one}`))
        const dialog = page.getByRole('dialog')
        // The deletion is in a menu.
        const deletion = page.getByRole('menuitem', { name: DELETION, disabled: false })
        const entry = (await deletion.count()) > 0 ? await deletion.textContent() : null
        if (entry !== null && !looked.has(entry)) {
          await deletion.press('Enter')
          await dialog.waitFor()
          found.push(...(await look()).map((one) => `${entry}: ${one}`))
        }
        const what = entry ?? name
        if ((await dialog.count()) > 0 && !looked.has(what)) {
          looked.add(what)
          found.push(...(await findInaccessible(page, '[role=dialog]')).map((one) => `${what}: ${one}`))
        }
        await page.keyboard.press('Escape')
        await closeOpened(page)
        if (new URL(page.url()).pathname + new URL(page.url()).search === path) continue
        for (const next of ['/shortcuts', path]) {
          await go(page, next)
          await settled(page)
        }
      }
      return found
    })
    expect(wrong).toEqual([])
    expect(opened).toBeGreaterThan(addresses.ofEach.length)
    expect(looked.size).toBeGreaterThan(3)

    const head: string[] = []
    const toggles = page.locator('header button')
    for (let at = 0; at < (await toggles.count()); at++) {
      await toggles.nth(at).press('Enter')
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      head.push(...(await look()))
      await page.keyboard.press('Escape')
    }
    for (const text of ['', 'a', 'img', '\u202eright', 'zzz']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('textbox').fill(text)
      await page.getByText('Es wird weiter gesucht …').waitFor({ state: 'detached' })
      head.push(...(await look()))
      await closeOpened(page)
    }
    expect(head).toEqual([])
  })

  test('what is told of a saved and of a deleted record has its name as a text', async () => {
    const page = await openAs({ locale: 'de-DE' })
    const { records } = site
    const wrong = await walk(
      HOSTILE.map((_, at) => `/architectures/${records.get('architectures')?.[at]?.id}`),
      async (path) => {
        await page.goto(`${path}/edit`)
        await page.locator('#field-name').waitFor()
        await page.getByRole('button', { name: 'Speichern' }).press('Enter')
        await page.locator('.pf-v6-c-alert-group').getByText('ist gespeichert').first().waitFor()
        const found = [...(await findTurned(page)), ...(await findWide(page))]
        await chooseInMenu(page, 'Weitere Aktionen', 'Löschen')
        // A dialog takes the focus when it has opened, and what is pressed before goes elsewhere.
        await page.locator('[role=dialog] :focus, [role=dialog]:focus').waitFor()
        found.push(...(await findTurned(page)))
        await confirmDeletion(page, (await page.locator('[role=dialog] bdi.mw-code').textContent()) ?? '')
        await page.locator('.pf-v6-c-alert-group').getByText('ist gelöscht').first().waitFor()
        return [...found, ...(await findTurned(page)), ...(await findWide(page))]
      },
    )
    expect(wrong).toEqual([])
  })

  test.each([TELEPHONE, LARGE])('the focus is seen wherever Tab leads, $width pixels wide', async (viewport) => {
    const page = await openAs({}, viewport)
    // How the focus is marked does not depend on the width; on a telephone most is out of sight.
    const share = viewport === TELEPHONE ? 0.4 : 0.1
    const paths = addresses.ofEach.filter((path) => isInTurn(path, share))
    const wrong = await walk(paths, async (path) => {
      await go(page, path)
      await settled(page)
      const found: string[] = []
      await page.evaluate(() => document.querySelector<HTMLElement>('main')?.focus())
      for (let at = 0; at < MOST_TABS; at++) {
        await page.keyboard.press('Tab')
        const problem = await findUnseenFocus(page)
        if (problem === 'outside') break
        if (problem !== null) found.push(problem)
      }
      return found
    })
    expect(wrong).toEqual([])
  })
})

/** Buttons of a page that open something: not those that sort, turn pages, choose a tab or save. */
const OPENING =
  'main button:not([type=submit], [role=tab], th button, .pf-v6-c-pagination__nav button, [aria-disabled=true])'
/** What adds a row to a list, before itself: it would be met again without end. */
const ADDING = / hinzufügen$/
/** What they would end: the session of this window, or all others. */
const ENDING = /[Bb]eenden|Abmelden/
/** What opens the dialog of a deletion, of one record or of many. */
const DELETION = /^Löschen(?: \(.*\))?$/

const MOST_TABS = 40

/** Says what is wrong with the element that has the focus: it cannot be seen, or nothing shows that it has it. */
function findUnseenFocus(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const deepest = (element: Element | null): Element | null =>
      element?.shadowRoot?.activeElement ? deepest(element.shadowRoot.activeElement) : element
    const host = document.activeElement
    const element = deepest(host)
    if (!host?.closest('main') || !element) return 'outside'
    await new Promise(requestAnimationFrame)
    const { width, height } = element.getBoundingClientRect()
    const name = element.outerHTML.slice(0, 160)
    if (width === 0 || height === 0) return `has no place: ${name}`
    const isInSight = () => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return right > 0 && left < innerWidth && bottom > 0 && top < innerHeight
    }
    // A row of tabs is moved smoothly.
    for (let frame = 0; frame < 60 && !isInSight(); frame++) await new Promise(requestAnimationFrame)
    if (!isInSight()) return `out of sight: ${name}`
    const marks = [
      element,
      element.parentElement,
      element.closest('[class*=form-control], [class*=text-input-group], .cm-editor'),
    ]
    const isMarked = () =>
      marks.some((one) => {
        if (!one) return false
        return [undefined, '::before', '::after'].some((part) => {
          const style = getComputedStyle(one, part)
          return (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none'
        })
      })
    // The parts of a date are marked by the browser itself, and the editor is marked a moment later.
    if (element.getAttribute('type') === 'date') return null
    for (let frame = 0; frame < 20 && !isMarked(); frame++) await new Promise(requestAnimationFrame)
    return isMarked() ? null : `is not marked: ${name}`
  })
}
