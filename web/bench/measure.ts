import type { BrowserContext, Page } from 'playwright-core'
import { type Chromium, isInstalled, startChromium } from '../test/chromium.ts'

// Measures what people wait for in the console of a running service, inside the page; prints the figures as one line of
// JSON. Usage: node web/bench/measure.ts ADDRESS LOGIN PASSWORD TURNS SECONDS

const ROWS = 10_000
const TYPED = 'name ~ h12345 and environment = env3 and facts.kernel = Linux'
const PIXELS_A_SECOND = 6000
const KEY_MS = 40

const [address = '', login = '', password = '', turns = '3', seconds = '5'] = process.argv.slice(2)
if (!isInstalled) throw new Error('there is no chromium on this machine')
console.log(JSON.stringify(await measure()))

async function measure() {
  await using chromium = await startChromium()
  const cookies = await logIn(chromium)
  const context = await openContext(chromium, cookies)
  const page = await context.newPage()

  const scriptBytes = await measureScript(page)
  const clicks = await repeat(() => measureClick(page))
  const colds = await repeat(async () => {
    const cold = await openContext(chromium, cookies)
    const took = await measureCold(await cold.newPage())
    await cold.close()
    return took
  })
  await page.goto('/hosts')
  const blockedMs = await measureTyping(page)
  await page.goto(`/hosts?per_page=${ROWS}`)
  await rowIsThere(page)
  const blockedByManyMs = await measureTyping(page)
  const framesPerSecond = await measureScrolling(page)
  return { scriptBytes, clicks, colds, blockedMs, blockedByManyMs, framesPerSecond }
}

type Login = Awaited<ReturnType<BrowserContext['storageState']>>

function openContext({ browser }: Chromium, storageState?: Login): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    ...(storageState && { storageState }),
  })
}

/** Logs in and yields the cookie of the session. */
async function logIn(chromium: Chromium): Promise<Login> {
  const context = await openContext(chromium)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor({ state: 'attached' })
  const cookies = await context.storageState()
  await context.close()
  return cookies
}

async function repeat(measureOnce: () => Promise<number>): Promise<number[]> {
  const took: number[] = []
  for (let turn = 0; turn < Number(turns); turn++) took.push(await measureOnce())
  return took
}

/** Measures the bytes of script that are transferred for the first page. */
async function measureScript(page: Page): Promise<number> {
  await page.goto('/', { waitUntil: 'networkidle' })
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
}

/** Measures the milliseconds from the click on the hosts in the navigation to the first row, in a new document. */
async function measureClick(page: Page): Promise<number> {
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.evaluate(watchRows)
  const link = page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Hosts', exact: true })
  await link.evaluate((element: HTMLElement) => {
    Reflect.set(globalThis, 'millwrightBegan', performance.now())
    element.click()
  })
  return (await firstRow(page)) - (await page.evaluate(() => Number(Reflect.get(globalThis, 'millwrightBegan'))))
}

/** Measures the milliseconds from the navigation to the first row, with an empty browser cache. */
async function measureCold(page: Page): Promise<number> {
  await page.addInitScript(watchRows)
  await page.goto('/hosts')
  return firstRow(page)
}

/** Runs in the page: records when the first row of a list was painted. */
function watchRows(): void {
  const isThere = () => document.querySelector('main table:not([aria-busy]) tbody td') !== null
  const note = () => {
    const painted = new MessageChannel()
    painted.port1.onmessage = () => Reflect.set(globalThis, 'millwrightRow', performance.now())
    requestAnimationFrame(() => painted.port2.postMessage(null))
  }
  const observer = new MutationObserver(() => {
    if (!isThere()) return
    observer.disconnect()
    note()
  })
  observer.observe(document, { childList: true, subtree: true })
}

async function firstRow(page: Page): Promise<number> {
  const seen = await page.waitForFunction(() => Reflect.get(globalThis, 'millwrightRow'), null, { timeout: 120_000 })
  return Number(await seen.jsonValue())
}

async function rowIsThere(page: Page): Promise<void> {
  await page.locator('main table:not([aria-busy]) tbody td').first().waitFor({ timeout: 120_000 })
}

/** Measures the longest task while a search is typed with suggestions; 0 when none took 50 ms. */
async function measureTyping(page: Page): Promise<number> {
  const field = page.getByRole('main').getByRole('combobox').first()
  await rowIsThere(page)
  await field.focus()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const tasks: number[] = []
    Reflect.set(globalThis, 'millwrightTasks', tasks)
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    })
    observer.observe({ type: 'longtask' })
  })
  await page.keyboard.type(TYPED, { delay: KEY_MS })
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => Math.max(0, ...(Reflect.get(globalThis, 'millwrightTasks') as number[])))
}

/** Measures frames per second while the page scrolls at an even speed. */
async function measureScrolling(page: Page): Promise<number> {
  return page.evaluate(
    ({ milliseconds, speed }) => {
      const row = document.querySelector('main table tbody')
      let scroller = row?.parentElement ?? null
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + speed)
        scroller = scroller.parentElement
      const target = scroller ?? document.documentElement
      return new Promise<number>((resolve, reject) => {
        let began = 0
        let frames = 0
        const step = (now: number) => {
          if (began === 0) began = now
          else frames++
          const passed = now - began
          target.scrollTop = (passed / 1000) * speed
          if (passed < milliseconds) return requestAnimationFrame(step)
          if (target.scrollTop < speed) reject(new Error('the page did not scroll'))
          resolve((frames / passed) * 1000)
        }
        requestAnimationFrame(step)
      })
    },
    { milliseconds: Number(seconds) * 1000, speed: PIXELS_A_SECOND },
  )
}
