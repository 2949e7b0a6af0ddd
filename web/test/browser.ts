import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { isInstalled, startChromium } from './chromium.ts'

/** Whether there is a browser here. Where CI=true asks for everything, tests fail without one. */
export const chromium = isInstalled || process.env['CI'] === 'true'
if (!chromium) console.log('skipped: the tests of the console (no chromium here; install it)')

interface TestBrowser extends AsyncDisposable {
  /** A window of somebody who is not logged in, and what went wrong in it so far. */
  readonly open: (address: string, options?: BrowserContextOptions) => Promise<Window>
}

export interface Window {
  readonly page: Page
  /** Requests to other hosts, refusals of the policy, errors of scripts, and dialogs. */
  readonly wrong: string[]
}

/** Starts the browser of the system, with a console that is as its sources are. */
export async function openBrowser(): Promise<TestBrowser> {
  const started = await startChromium()
  return {
    open: async (address, options = {}) => {
      const context = await started.browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      return { page, wrong: listen(page, address) }
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

function listen(page: Page, address: string): string[] {
  const wrong: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== address) wrong.push(request.url())
  })
  page.on('pageerror', (error) => wrong.push(String(error.stack)))
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
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor({ state: 'attached' })
}

/** Expects that WCAG 2.2 AA finds nothing wrong with the page. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await findInaccessible(page), what).toEqual([])
}

/** What WCAG 2.2 AA finds wrong with the page, or with a part of it, once its colours have passed from one look to another. */
export async function findInaccessible(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const passing = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (selector) => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run // the line above has put it there
    const { violations } = await run(selector ?? document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }, part)
}
