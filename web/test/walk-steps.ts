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
  await page.evaluate((to) => {
    for (const title of document.querySelectorAll('main :is(h1, h2)')) title.setAttribute('data-seen', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

/** Waits until another page is shown and has loaded everything. */
export function settled(page: Page): Promise<void> {
  return until(page, (waiting) => {
    return document.querySelector('main h1:not([data-seen])') !== null && document.querySelector(waiting) === null
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

/** Tells whether the page, or its main part, which scrolls by itself, is wider than its window. */
export async function findWide(page: Page): Promise<string[]> {
  const over = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, :has(> main)')]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      .reduce((most, one) => Math.max(most, one)),
  )
  return over > 0 ? [`is ${over} pixels wider than its window`] : []
}
