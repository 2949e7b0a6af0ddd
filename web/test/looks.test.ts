import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN } from '../../test/support/api.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'
import { openSite, type Site } from './looks-world.ts'

// The appearance of the handmade pages with content. With PICTURES, the name of a folder, pictures are stored there; `npm
// run docs` uses this for the guide.

const PICTURES = process.env['PICTURES']

/** What to wait for, and to do, before a page is examined. */
const READY: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  dashboard: async (page) => {
    await part(page, 'Reports, last 7 days').getByRole('link').first().waitFor()
    await part(page, 'Last changes').getByRole('link').first().waitFor()
  },
  directory: async (page) => {
    await page.locator('#field-name').fill('Company')
    await page.locator('#field-host').fill('127.0.0.1')
    await page.locator('#field-port').fill('9')
    await page.getByRole('button', { name: 'Test these values' }).press('Enter')
    await page.getByText('Nobody can log in with these values').waitFor()
  },
  classes: async (page) => {
    const why = part(page, 'Value for a host')
    await why.getByRole('combobox', { name: 'Host' }).fill('web1')
    await page.getByRole('option', { name: 'web1.example.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await why.getByText('applied', { exact: true }).waitFor()
    await why.evaluate((element) => element.scrollIntoView())
  },
  document: async (page) => {
    const matchers = part(page, 'Matchers')
    await matchers.getByRole('combobox', { name: 'Match' }).fill('hostgroup=db')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('4')
    await matchers.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const document = part(page, 'ENC output before and after')
    await document.locator('ins', { hasText: '"worker_processes": 4' }).waitFor()
    await document.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  },
  template: async (page) => {
    await page.getByRole('combobox', { name: 'Host', exact: true }).fill('web1')
    await page.getByRole('option', { name: 'web1.example.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await part(page, 'Rendered text').getByText('server ntp.example.test iburst').waitFor()
  },
  rollout: async (page) => {
    await part(page, 'First failures').getByRole('link', { name: 'db3.example.test' }).waitFor()
    await part(page, 'Recent rollouts').getByRole('link').first().waitFor()
  },
  hosts: async (page) => {
    await page.getByRole('grid', { name: 'Table of Hosts' }).getByRole('row').nth(9).waitFor()
  },
  tree: (page) => page.getByRole('button', { name: 'Move web' }).waitFor(),
  'host-form': (page) => page.getByText('Set here').first().waitFor(),
  settings: async (page) => {
    await page.getByRole('button', { name: 'Edit Idle timeout' }).press('Enter')
    await page.getByText('Default: 60').waitFor()
  },
  key: (page) => part(page, 'Drifted hosts').getByRole('link').first().waitFor(),
  host: (page) => page.getByText('Host group web').first().waitFor(),
  'who-may': (page) => page.getByText('Access allowed').waitFor(),
  history: (page) => page.getByRole('grid', { name: 'History' }).getByRole('row').nth(3).waitFor(),
  account: async (page) => {
    await part(page, 'Sessions').getByText('This one').waitFor()
    await part(page, 'Sessions').evaluate((element) => element.scrollIntoView({ block: 'center' }))
  },
}

/** The pages that other tests judge already: here their pictures are taken. */
const ONLY_PICTURED = new Set(['hosts', 'tree', 'host-form', 'settings'])

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

describe.skipIf(!chromium)('the pages of the ten jobs', { timeout: 120_000 }, () => {
  let site: Site
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser({ isShell: PICTURES === undefined })
    site = await openSite()
    admin = await browser.open(await site.world.api.listen(), { viewport: DESK, isPainted: PICTURES !== undefined })
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  const names = Object.keys(READY).filter((name) => PICTURES !== undefined || !ONLY_PICTURED.has(name))
  test.each(names)('%s can be used by everybody, light and dark', async (name) => {
    const { page } = admin
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(site.pages[name] ?? '')
    await READY[name]?.(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await coloursHaveSettled(page, colorScheme)
      // Around the main part all pages are the same, and in the dark only colours differ.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
      await expectAccessible(page, `${name}, ${colorScheme}`, name === 'dashboard' ? undefined : 'main', rules)
      if (PICTURES !== undefined) await keep(page, PICTURES, `${name}-${colorScheme}`)
    }
    if (PICTURES === undefined) return
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE)
    await coloursHaveSettled(page, 'light')
    await keep(page, PICTURES, `${name}-phone`)
    await page.setViewportSize(DESK)
  })
})

/** Waits until colours have changed from one look to the other. */
async function coloursHaveSettled(page: Page, look: 'light' | 'dark'): Promise<void> {
  await page.locator(look === 'dark' ? 'html.pf-v6-theme-dark' : 'html:not(.pf-v6-theme-dark)').waitFor()
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
}

async function keep(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined))
  await page.mouse.move(0, 0)
  writeFileSync(join(folder, `${name}.webp`), await toWebp(page, await page.screenshot()))
}

/** Makes a picture a third as large; the browser that has taken it can do that, but not on a page of ours. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const url = await blank.evaluate(
    async (data) => {
      const picture = new Image()
      picture.src = data
      await picture.decode()
      const canvas = document.createElement('canvas')
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      return canvas.toDataURL('image/webp', 0.85)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await blank.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
