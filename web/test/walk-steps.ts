import type { Page } from 'playwright-core'
import { expect } from 'vitest'

// What the walks through all pages have in common.

/** What is shown while something is loading. */
export const WAITING = 'main :is(.pf-v6-c-spinner, .pf-v6-c-skeleton, [aria-busy=true])'

/** Visits the pages, and lists the problems of each. */
export async function walk(paths: readonly string[], look: (path: string) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = []
  for (const path of paths) {
    const found = await look(path).catch((error: unknown) => [String(error)])
    wrong.push(...found.map((one) => `${path}: ${one}`))
  }
  return wrong
}

/** Tells whether a request is for data, beyond those about the session. */
export function isForData({ pathname }: URL): boolean {
  return /^\/(?:content\/)?api\//.test(pathname) && !/^\/api\/(?:session|current_user\/permissions)$/.test(pathname)
}

/** Goes to another page as a link does, without reloading the document. */
export async function go(page: Page, path: string): Promise<void> {
  // Pages of one kind may have the same title, by which the next page is known.
  const kind = kindOfPage(path)
  if (kind !== 'list' && kind === kindOfPage(new URL(page.url()).pathname)) {
    await goOn(page, '/shortcuts')
    await titled(page)
  }
  await goOn(page, path)
}

function kindOfPage(path: string): string {
  return /\/(?:new|edit)(?=\?|$)|\/\d+(?=\?|$)/.exec(path)?.[0].replace(/\d+/, 'N') ?? 'list'
}

async function goOn(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    // One component may draw both pages, and change the text of its title only.
    for (const title of document.querySelectorAll('main h1')) title.setAttribute('data-seen', title.textContent)
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

/** Waits until the title of another page is shown. */
export function titled(page: Page): Promise<void> {
  return until(page, () => {
    return [...document.querySelectorAll('main h1')].some((one) => one.getAttribute('data-seen') !== one.textContent)
  })
}

/** Waits until another page is shown and has loaded everything. */
export function settled(page: Page): Promise<void> {
  return until(page, (waiting) => {
    const titles = [...document.querySelectorAll('main h1')]
    const isOther = titles.some((one) => one.getAttribute('data-seen') !== one.textContent)
    return isOther && document.querySelector(waiting) === null
  })
}

/** Waits until a page has loaded everything, or has failed. */
export function settledOrLost(page: Page): Promise<void> {
  return until(page, (waiting) => document.querySelector(waiting) === null)
}

/** Waits until this holds of a page; what it still waits for is part of the error. */
async function until(page: Page, holds: (waiting: string) => boolean): Promise<void> {
  await page.waitForFunction(holds, WAITING).catch(async (error: unknown) => {
    const shown = await page.evaluate((waiting) => {
      const titles = [...document.querySelectorAll('main h1')].map(({ outerHTML }) => outerHTML)
      const waited = [...document.querySelectorAll(waiting)].map((one) => one.parentElement?.outerHTML)
      return [location.href, ...titles, ...waited].map((text) => text?.slice(0, 500)).join('\n')
    }, WAITING)
    throw new Error(`${String(error)}\n${shown}`)
  })
}

/** Closes what has opened. What has just opened does not hear the key yet, so that it is pressed until nothing is open. */
export async function closeOpened(page: Page): Promise<void> {
  const opened = page.locator(':is([role=dialog], [role=menu])')
  const close = async () => {
    if ((await opened.count()) > 0) await page.keyboard.press('Escape')
    return opened.count()
  }
  await expect.poll(close, { timeout: 20_000 }).toBe(0)
}

/** Lists texts of users that could reverse the text beside them: they have to be in a box or a `bdi` of their own. */
export function findTurned(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isInline = (element: Element) => /inline|contents/.test(getComputedStyle(element).display)
    const isBounded = (element: Element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi)
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? ''
      if (!text.includes('\u202e') || /\u2068[^\u2069]*\u202e/.test(text)) continue
      let element = node.parentElement
      while (element && !isBounded(element) && isInline(element)) element = element.parentElement
      const isAlone = element?.childNodes.length === 1 && /^\s*(?:<img src=x onerror=alert\(1\)>)?\u202e/.test(text)
      if (element && !isBounded(element) && !isAlone)
        found.push(`turns its neighbours: ${element.outerHTML.slice(0, 300)}`)
    }
    if (/\u202e/.test(document.title.replace(/\u2068[^\u2069]*\u2069/g, ''))) found.push(`title: ${document.title}`)
    return found
  })
}

/** Tells whether the page, or its main part, which scrolls by itself, is wider than its window, and stays so. */
export async function findWide(page: Page): Promise<string[]> {
  const over = await page.evaluate(async () => {
    const measure = () =>
      [document.documentElement, ...document.querySelectorAll('main, :has(> main)')]
        .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
        .reduce((most, one) => Math.max(most, one))
    // What a script lays out by the width of the window comes a moment later.
    for (let frame = 0; frame < 30 && measure() > 0; frame++) await new Promise(requestAnimationFrame)
    return measure()
  })
  return over > 0 ? [`is ${over} pixels wider than its window`] : []
}

/** Lists what is left over in a state of a page: parts that wait for ever, and texts for programmers. */
export async function findUndesigned(page: Page, { says }: { readonly says: string | null }): Promise<string[]> {
  const { text, waits, again } = await page.evaluate((waiting) => {
    const main = document.querySelector('main')
    const buttons = [...(main?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)
    return {
      text: main?.textContent ?? '',
      waits: document.querySelector(waiting) !== null,
      again: buttons.includes('Try again'),
    }
  }, WAITING)
  const found = [...(await findWide(page))]
  if (/Failed to fetch|\bundefined\b|\[object |TypeError|\bNaN\b/.test(text)) found.push(`says ${text.slice(0, 300)}`)
  if (says === null) return found
  if (says === '') return waits ? found : [...found, 'does not wait']
  if (waits) found.push('waits for ever')
  if (!text.includes(says)) found.push(`does not say “${says}” but ${JSON.stringify(text.slice(0, 200))}`)
  if (!again && !says.startsWith('You need')) found.push('has no other try')
  return found
}

/** Pages that every user with a login has. */
export const FREE: readonly string[] = ['/', '/start', '/account', '/shortcuts', '/device', '/authorize']
