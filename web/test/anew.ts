import type { Page } from 'playwright-core'
import { findInaccessible } from './browser.ts'

/**
 * Creates a look with axe at the main part of a page, for a walk through many pages, most of which are made of the same parts. Of
 * every element it takes what rules depend on: its name, classes, roles and states, those of all elements around it, which
 * elements it contains, and whether it has a text, what it refers to is there, it can be scrolled or is small. A page without a
 * new one of these is not looked at again.
 */
export function createLook(): (page: Page) => Promise<string[]> {
  const seen = new Set<number>()
  return async (page) => {
    const marks = await listMarks(page)
    const fresh = marks.filter((mark) => !seen.has(mark))
    if (fresh.length === 0) return []
    const found = await findInaccessible(page, 'main')
    // What is wrong is said again on every page.
    if (found.length === 0) for (const mark of fresh) seen.add(mark)
    return found
  }
}

/** Yields a number for each kind of element in the main part, by all that the rules of axe depend on. */
function listMarks(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const REFERENCES = new Set(['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns'])
    const STATES =
      /^(?:role|type|class|disabled|required|multiple|tabindex|lang|dir|scope|hidden|autocomplete|aria-.*)$/
    const TEXTS = /^(?:href|alt|title|placeholder|aria-(?:label|description|valuetext|valuenow|roledescription))$/
    const isThere = (id: string) => document.getElementById(id) !== null
    const stateOf = ({ name, value }: Attr) => {
      if (REFERENCES.has(name)) return `${name}=${value.split(/\s+/).map(isThere)}`
      if (TEXTS.test(name)) return `${name}=${value.trim() !== ''}`
      if (STATES.test(name)) return `${name}=${value}`
      return name === 'style' ? `style=${value.replace(/[\d.]+/g, '')}` : name
    }
    const numbers = new Map<Element, number>()
    const numberOf = (element: Element): number => {
      const known = numbers.get(element)
      if (known !== undefined) return known
      const above = element.parentElement ?? (element.parentNode instanceof ShadowRoot ? element.parentNode.host : null)
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const children = [...element.children].map(({ localName }) => localName)
      const of = [
        above ? numberOf(above) : 0,
        element.localName,
        ...[...element.attributes].map(stateOf).sort(),
        ...[...new Set(children)].sort(),
        [...element.childNodes].some(
          ({ nodeType, data = '' }: Node & { data?: string }) => nodeType === 3 && data.trim(),
        ),
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
        right - left < 24 || bottom - top < 24,
        element.id !== '' && document.querySelectorAll(`#${CSS.escape(element.id)}`).length > 1,
      ].join('\n')
      let number = 0
      for (let at = 0; at < of.length; at++) number = (number * 33 + of.charCodeAt(at)) % 9007199254739
      numbers.set(element, number)
      return number
    }
    const within = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? [one, ...within(one.shadowRoot)] : [one]))
    const main = document.querySelector('main')
    return main ? [...new Set([main, ...within(main)].map(numberOf))] : []
  })
}
