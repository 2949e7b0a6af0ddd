import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { toErrorAnswer } from '../../src/http/answers/errors.ts'
import { ADMIN } from '../../test/support/api.ts'
import { chooseCover, isInTurn } from '../../test/support/cover.ts'
import { en } from '../src/words/en.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'
import { type Addresses, listAddresses } from './walk-pages.ts'
import { isForData, settled, walk } from './walk-steps.ts'
import { type HostileSite, openHostileSite } from './walk-world.ts'

// Forms of the console that stand for all (`chosen`), for new records and for existing ones: what is typed survives each way in which it cannot be
// saved, a reload and the back button, and what the service says of a field is said at that field.

describe.skipIf(!chromium)('what is typed into any form', { timeout: 1_200_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let site: HostileSite
  let addresses: Addresses
  let admin: Window
  let forms: readonly string[]
  /** A form of each resource that has a page of its own, and of each kind of derived form. */
  let ofEach: readonly string[]

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    site = await openHostileSite()
    const { api, place } = site.world
    addresses = await listAddresses({ caller: api.admin, organization: place.organization_id, records: site.records })
    forms = addresses.chosen.filter((path) => /\/(?:new|edit)(?:\?|$)/.test(path))
    ofEach = chooseCover(
      addresses.ofEach.filter((path) => forms.includes(path)),
      // By its number of parts an address is one of a new or of an existing record, below another or not.
      { nameOf: String, featuresOf: (path) => [path.split('/')[1] ?? '', `${path.split('/').length} parts`] },
    )
    admin = await browser.open(await api.listen())
    await admin.page.goto('/shortcuts')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 240_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  test('is refused at the field that the service names, and stays after each kind of failure, a reload and the back button', async () => {
    const { page } = admin
    const named = new Set<string>()
    const wrong = await walk(forms, async (path) => {
      await rest(page)
      await go(page, path)
      await settled(page)
      const found = await findUnsaid(page, (key) => named.add(`${path} ${key}`))
      const typed = await typeInto(page, (field) => (field.isNumber ? '7' : `typed ${field.key}`))
      const compare = async (what: string) => found.push(...(await findLost(page, typed, what)))
      if (Object.keys(typed).length === 0) return found
      // One component saves the forms of all resources, so that few of them meet every failure, and a part of the others one.
      if (!ofEach.includes(path) && !isInTurn(path)) {
        await discard(page)
        return found
      }
      for (const met of ofEach.includes(path) ? FAILURES : FAILURES.slice(0, 1)) {
        found.push(...(await failToSave(page, met)))
        await compare(met.says)
      }
      await page.reload()
      await settled(page)
      await page.getByText(en['form.kept']).waitFor({ timeout: 5000 })
      await compare('a reload')
      await page.goBack({ waitUntil: 'commit' })
      await page.getByRole('button', { name: 'Stay' }).press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await compare('the back button')
      await discard(page)
      return found
    })
    expect(wrong).toEqual([])
    expect(forms.length).toBeGreaterThan(20)
    expect(named.size).toBeGreaterThan(20)
  })

  test('stays when the session has ended unnoticed, and when it ends before a reload', async () => {
    const { page } = admin
    const wrong = await walk(ofEach, async (path) => {
      await page.goto(path)
      await settled(page)
      const typed = await typeInto(page, (field) => (field.isNumber ? '7' : `typed ${field.key}`))
      await page.context().clearCookies()
      await page.reload()
      await logIn(page, ADMIN.login, ADMIN.password)
      await settled(page)
      const reloaded = await valuesOf(page)
      await page.context().clearCookies()
      await page.locator('main form').getByRole('button', { name: 'Save', exact: true }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password').fill(ADMIN.password)
      const answered = page.waitForResponse(
        (response) => /^(?:POST|PUT)$/.test(response.request().method()) && !response.url().endsWith('/session'),
      )
      await page.keyboard.press('Enter')
      const sent = JSON.stringify((await answered).request().postDataJSON())
      const lost = Object.entries(typed).filter(([key, value]) => reloaded[key] !== value)
      const unsent = Object.values(typed).filter((value) => !/^7$/.test(value) && !sent.includes(value))
      return [...lost.map(([key]) => `${key} is lost`), ...unsent.map((value) => `${value} is not sent`)]
    })
    expect(wrong).toEqual([])
    expect(ofEach.length).toBeGreaterThanOrEqual(5)
  })
})

const FAILURES = [
  { says: en['error.conflict'], failure: new Failure('conflict', 'in the way') },
  { says: en['error.tooLarge'], failure: new Failure('too_large', 'too large') },
  { says: en['error.unavailable'], failure: new Failure('unavailable', 'not now') },
  { says: en['error.network'], failure: null },
] as const

const SAVE = { name: 'Save', exact: true } as const

/** Saves what a service refuses, unless there is nothing to type, and lists what is not at its field or is lost. */
async function findUnsaid(page: Page, name: (key: string) => void): Promise<string[]> {
  const typed = await typeInto(page, (field) =>
    field.isNumber ? '-7' : field.isLong ? 'x y'.repeat(25_000) : `${'x y'.repeat(100)}`,
  )
  if (Object.keys(typed).length === 0) return []
  const answered = page.waitForResponse((response) => response.request().method() !== 'GET', { timeout: 5000 })
  await page.locator('main form').getByRole('button', SAVE).press('Enter')
  const response = await answered
  if (response.ok()) return ['is saved with what should be refused']
  const body = await response.json()
  const errors: Readonly<Record<string, readonly string[]>> = body.error?.errors ?? body.errors ?? {}
  await page.locator('main').getByRole('alert').first().waitFor()
  const found: string[] = []
  for (const [key, messages] of Array.isArray(errors) ? [] : Object.entries(errors)) {
    name(key)
    const at = await page.locator('main form [data-field]').evaluateAll((groups, wanted) => {
      const own = groups.find((group) => wanted.includes(group.getAttribute('data-field') ?? ''))
      return own ? (own.textContent ?? '') : null
    }, keysFor(key))
    const said = at ?? (await page.locator('main').getByRole('alert').allTextContents()).join(' ')
    const missing = messages.filter((message) => !said.includes(message))
    found.push(...missing.map((message) => `does not say at ${key}: ${message}`))
  }
  return [...found, ...(await findLost(page, typed, 'a refusal'))]
}

/** Saves while the service fails, and lists what the page does not say. */
async function failToSave(page: Page, { says, failure }: (typeof FAILURES)[number]): Promise<string[]> {
  await page.route(isForData, async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET') return route.continue()
    if (failure === null) return route.abort()
    const { status, body } = toErrorAnswer(failure, pathname.startsWith('/content/') ? 'content' : 'core')
    return route.fulfill({ status, json: body })
  })
  await page.locator('main form').getByRole('button', SAVE).press('Enter')
  const alert = page.locator('main').getByRole('alert').filter({ hasText: says })
  await alert.first().waitFor({ timeout: 5000 })
  const tries = await alert.getByRole('button', { name: 'Try again' }).count()
  await page.unroute(isForData)
  return tries === 1 ? [] : [`${says} has no other try`]
}

async function findLost(page: Page, typed: Readonly<Record<string, string>>, after: string): Promise<string[]> {
  const now = await valuesOf(page)
  return Object.entries(typed).flatMap(([key, value]) => (now[key] === value ? [] : [`${after}: ${key} is lost`]))
}

interface TextField {
  readonly key: string
  readonly isNumber: boolean
  readonly isLong: boolean
}

const FIELDS = 'main form :is(input[type=text][name], textarea[name])'

/** Types a text into every visible field at once, and yields the texts by field. */
async function typeInto(page: Page, textFor: (field: TextField) => string): Promise<Record<string, string>> {
  const fields = page.locator(FIELDS)
  // The focus never comes to what other steps of a form hide.
  const found = await fields.evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => ({
        key: element.getAttribute('name') ?? '',
        isNumber: element.getAttribute('inputmode') === 'numeric',
        isLong: element.tagName === 'TEXTAREA',
      })),
  )
  const typed = Object.fromEntries(found.map((field) => [field.key, textFor(field)]))
  await fields.evaluateAll((elements, texts) => {
    for (const element of elements as (HTMLInputElement | HTMLTextAreaElement)[]) {
      if (!element.checkVisibility()) continue
      element.focus()
      element.select()
      document.execCommand('insertText', false, texts[element.name])
    }
  }, typed)
  return typed
}

async function valuesOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const pairs = await page.locator(FIELDS).evaluateAll((fields) => {
    return fields.map((field) => [field.getAttribute('name') ?? '', (field as HTMLInputElement).value])
  })
  return Object.fromEntries(pairs)
}

/** Goes to another page as a link does: the entry of the history is numbered, so that the way back can be blocked. */
async function go(page: Page, path: string): Promise<void> {
  await markSeen(page)
  await page.evaluate((to) => {
    const state = { usr: null, key: String(Math.random()), idx: Number(history.state?.idx ?? 0) + 1 }
    history.pushState(state, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state }))
  }, path)
}

/** Marks the titles of the page, so that the next page is known by a title without a mark. */
async function markSeen(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const title of document.querySelectorAll('main h1')) title.setAttribute('data-seen', title.textContent)
  })
}

/** Goes to a page without a form, unless it is there. */
async function rest(page: Page): Promise<void> {
  if (new URL(page.url()).pathname === '/shortcuts') return
  await go(page, '/shortcuts')
  await settled(page)
}

/** Leaves the form for the page before it, and gives up what was typed. */
async function discard(page: Page): Promise<void> {
  await markSeen(page)
  await page.locator('main form').getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
  // Where nothing could be typed, nothing is asked.
  await page.waitForFunction(() => document.querySelector('[role=dialog], main h1:not([data-seen])') !== null)
  const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true })
  if ((await leave.count()) > 0) await leave.press('Enter')
  await settled(page)
}

/** Lists the fields that a key of an answer may mean: the record that it names, or the records. */
function keysFor(key: string): string[] {
  const singular = key.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
  return [key, `${key}_id`, `${singular}_ids`]
}
