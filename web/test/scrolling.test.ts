import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'

// What a scroll over many rows changes. No time is measured: what is counted is what browsers have to do again.

const COUNT = 300
const SCROLLED = 100

const nameOf = (place: number) => `Long ${String(place).padStart(3, '0')}`

describe.skipIf(!chromium)('a long list', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    const operations = Array.from({ length: COUNT }, (_, place) => {
      return { method: 'POST', path: '/api/models', body: { model: { name: nameOf(place) } } }
    })
    expect((await api.admin.post('/api/batch', { operations })).status).toBe(200)
    admin = await browser.open(await api.listen())
    await admin.page.goto('/models?search=name+~+Long&order=name+ASC&per_page=1000')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
    await admin.page.getByRole('link', { name: nameOf(0), exact: true }).waitFor()
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  test('changes once for several rows that are scrolled past', async () => {
    const { page } = admin
    const changes = await page.evaluate(scrollByRows, SCROLLED)
    await page.getByRole('link', { name: nameOf(SCROLLED), exact: true }).waitFor()
    await page.getByRole('link', { name: nameOf(0), exact: true }).waitFor({ state: 'detached' })
    expect(changes).toBeGreaterThan(0)
    expect(changes).toBeLessThan(SCROLLED / 4)
  })

  test('leaves the style of its rows as it is when one is added', async () => {
    const { page } = admin
    const driver = page.context().browser()
    await driver?.startTracing(page, { categories: ['devtools.timeline'] })
    const { all, added } = await page.evaluate(addRow)
    const trace: { readonly traceEvents: readonly Traced[] } = JSON.parse(String(await driver?.stopTracing()))
    const styled = Math.max(...trace.traceEvents.map(({ args }) => args.elementCount ?? 0))
    expect(styled).toBeGreaterThanOrEqual(added)
    expect(styled).toBeLessThan(all / 2)
  })
})

interface Traced {
  /** What the browser tells of a computation of styles: of how many elements. */
  readonly args: { readonly elementCount?: number }
}

/** Scrolls the page row by row, and counts how often rows came or went. */
async function scrollByRows(rows: number): Promise<number> {
  const body = document.querySelector('main table tbody')
  const [row] = body?.querySelectorAll<HTMLElement>('tr:not(.mw-space)') ?? []
  let scroller = body?.parentElement
  while (scroller && scroller.scrollHeight < 2 * scroller.clientHeight) scroller = scroller.parentElement
  if (!body || !row || !scroller) throw new Error('There is nothing to scroll')
  const height = row.offsetHeight
  let changes = 0
  const observer = new MutationObserver(() => changes++)
  observer.observe(body, { childList: true })
  for (let passed = 0; passed < rows; passed++) {
    scroller.scrollTop += height
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  }
  observer.disconnect()
  return changes
}

/** Adds a row among others, has styles computed, and counts the elements of the table and those of the row. */
function addRow(): { all: number; added: number } {
  const row = document.querySelector('main table tbody tr:nth-child(4)')
  const added = row?.cloneNode(true) as HTMLElement // of an element
  row?.before(added)
  getComputedStyle(added).getPropertyValue('color')
  const all = document.querySelectorAll('main table tbody *').length
  return { all, added: added.querySelectorAll('*').length }
}
