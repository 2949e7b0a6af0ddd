import axe from 'axe-core'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { isInstalled, startChromium } from './chromium.ts'

/** Whether a browser is installed. With CI=true tests fail without one. */
export const chromium = isInstalled || process.env['CI'] === 'true'
if (!chromium) console.log('skipped: the tests of the console (no chromium here; install it)')

interface TestBrowser extends AsyncDisposable {
  /** Opens a window without a session, which records what goes wrong in it. */
  readonly open: (address: string, options?: WindowOptions) => Promise<Window>
}

interface WindowOptions extends BrowserContextOptions {
  /** Paints, for pictures. Unpainted, a page is laid out as ever and costs less; it is painted while axe judges colours. */
  readonly isPainted?: boolean
}

export interface Window {
  readonly page: Page
  /** Requests to other hosts, violations of the content security policy, errors of scripts, and dialogs. */
  readonly wrong: string[]
}

/** Starts the browser of the system, with a console that is built from the present sources. */
export async function openBrowser(options: Parameters<typeof startChromium>[0] = {}): Promise<TestBrowser> {
  const started = await startChromium(options)
  return {
    open: async (address, { isPainted = false, ...rest } = {}) => {
      const context = await started.browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...rest })
      if (!isPainted) await context.addInitScript(hideFromPainting)
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      return { page, wrong: listen(page, address) }
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** Makes the document transparent: the browser skips what nobody could see, and all else stays as it is. */
function hideFromPainting(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html:not([data-painted]) { opacity: 0 !important }')
  document.adoptedStyleSheets.push(sheet)
}

function listen(page: Page, address: string): string[] {
  const wrong: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== address) wrong.push(request.url())
  })
  page.on('pageerror', (error) => wrong.push(error.stack || error.message))
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') wrong.push(`dialog ${dialog.message()}`)
    void dialog.accept()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type|Warning:|Each child in a list/.test(message.text()))
      wrong.push(message.text())
  })
  return wrong
}

export async function logIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel(/^(?:Login|Benutzername)/).fill(login)
  await page.getByLabel(/^Passwor[dt]/).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: /^(?:Main navigation|Hauptnavigation)$/ }).waitFor({ state: 'attached' })
}

/** Chooses an entry of the menu that a button opens. */
export async function chooseInMenu(page: Page, button: string | RegExp, entry: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().press('Enter')
  await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
}

/** Deletes in the open dialog, which asks for a name or a number. */
export async function confirmDeletion(page: Page, text: string | number): Promise<void> {
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: /^(?:Delete|Löschen)$/ })
  await dialog.locator('#course-confirmation').fill('something else')
  expect(await remove.isDisabled()).toBe(true)
  await dialog.locator('#course-confirmation').fill(String(text))
  await remove.press('Enter')
}

/** Drags an element to another one, in a page that is painted meanwhile: the browser drags what can be seen. */
export async function drag(from: Locator, to: Locator): Promise<void> {
  const page = from.page()
  await page.evaluate(() => document.documentElement.setAttribute('data-painted', 'yes'))
  await from.dragTo(to)
  await page.evaluate(() => document.documentElement.removeAttribute('data-painted'))
}

/** Fails when the page or a part of it violates WCAG 2.2 AA. */
export async function expectAccessible(
  page: Page,
  what: string,
  part?: string,
  rules?: readonly string[],
): Promise<void> {
  expect(await findInaccessible(page, part, rules), what).toEqual([])
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Lists violations of WCAG 2.2 AA, or of some rules, in the page or a part of it, once whatever changes or fades in has ended; a
 * spinner never does.
 */
export async function findInaccessible(page: Page, part?: string, rules: readonly string[] = WCAG): Promise<string[]> {
  await page.evaluate(async () => {
    document.documentElement.dataset['painted'] = 'yes'
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const passing = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([selector, runOnly]) => {
      const run = (globalThis as unknown as { axe: typeof axe }).axe.run // the line above has loaded it
      const { violations } = await run(selector ?? document, {
        runOnly: [...runOnly],
        resultTypes: ['violations'],
        preload: false, // there are no media
      })
      delete document.documentElement.dataset['painted']
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`).join(' | ')}`,
      )
    },
    [part, rules] as const,
  )
}
