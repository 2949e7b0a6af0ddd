import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { FormField, ResourceFull } from '../src/resources/description.ts'
import { de } from '../src/words/de.ts'
import { LABELS } from '../src/words/labels.ts'
import { LABELS_DE } from '../src/words/labels-de.ts'
import { RESOURCES } from '../src/words/resources.ts'

// What somebody reads whose browser speaks German: texts, and what is told to those who do not see them.

const WORDS = join(import.meta.dirname, '../src/words/explanations-de.json')
const DESCRIPTIONS = join(import.meta.dirname, '../src/generated/resources')

/** Sentences with places for values, as patterns. */
const SENTENCES = Object.values(de).flatMap((text) => {
  const parts = text.split(/\{\w+\}/)
  if (parts.length === 1 || !/\p{L}{2}/u.test(parts.join(''))) return []
  return [new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.*)')}$`, 'su')]
})

const CATALOGUE = new Set([
  ...Object.values(de),
  ...Object.values(LABELS).map(([, german]) => german),
  ...Object.values(LABELS_DE),
  ...Object.values(RESOURCES).flatMap(([, , one, many]) => [one, many]),
  ...Object.values(JSON.parse(readFileSync(WORDS, 'utf8')) as Record<string, string>).flatMap((text) => [
    text,
    `${text} Mit Namen.`,
  ]),
])

/** Values that the API names: they are typed and searched as they stand. */
const CHOICES = new Set(
  readdirSync(DESCRIPTIONS).flatMap((file) => {
    const { create, update }: ResourceFull = JSON.parse(readFileSync(join(DESCRIPTIONS, file), 'utf8'))
    return [...create, ...update].flatMap(choicesOf)
  }),
)

function choicesOf({ choices = [], fields = [] }: FormField): string[] {
  return [...choices, ...fields.flatMap(choicesOf)]
}

/** Names: of keys on the keyboard, of formats, programs and systems. */
const NAMES =
  /^(?:Millwright|FreeIPA|Active Directory|eDirectory|POSIX|Ctrl|Ctrl K|JSON|YAML|CSV|UTC|Chrome \d+|Linux)$/
/** Times by their distance, and lengths of time. */
const AGO =
  /^(?:vor|in) \d+ \p{L}+\.?$|^(?:in dieser Minute|(?:vor)?gestern)$|^\d+ (?:Minuten?|Stunden?|Tage?|Monate?|Jahre?)$/u
const TIME = /^\d{1,2}\.\s?(?:\d{1,2}\.|\p{L}+\.?)(?:\s?\d{2,4})?(?:,? (?:um )?\d\d:\d\d(?::\d\d)?)?$/u
/** What stands between texts that are put together, the widest first. */
const BETWEEN = [/ · /, /: |, |:$/, / \(|\)/, / (?=Ctrl)/, / (?=\d+$)/]

/** Hears what the service says to a page, and yields the texts of the page that are neither of it nor German. */
export function hearService(page: Page): () => Promise<string[]> {
  const said = new Set<string>()
  const heard: Promise<void>[] = []
  page.on('response', (response) => {
    if (!/\/api\//.test(response.url())) return
    const hear = async () => gather(await response.json(), said)
    heard.push(hear().catch(() => undefined))
  })
  return async () => {
    // What is shown by then has been answered before, so that it is heard before it is judged.
    const texts = await listTexts(page)
    await Promise.all(heard.splice(0))
    const isWord = (text: string): boolean =>
      !/\p{L}{2}/u.test(text) || [CATALOGUE, CHOICES, said].some((known) => known.has(text)) || NAMES.test(text)
    const isKnown = (text: string): boolean => {
      if (isWord(text) || TIME.test(text) || AGO.test(text)) return true
      if (SENTENCES.some((pattern) => pattern.exec(text)?.slice(1).every(isKnown))) return true
      return BETWEEN.some((between) => {
        const parts = text.split(between)
        return parts.length > 1 && parts.every(isKnown)
      })
    }
    return texts.filter((text) => !isKnown(plain(text)))
  }
}

/** Without what only says how to show it. */
function plain(text: string): string {
  return text
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function gather(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    for (const line of [value, ...value.split('\n'), ...value.split(', ')]) into.add(plain(line))
  } else if (value === null) {
    into.add('null') // as values of any type are written
  } else if (typeof value === 'object') {
    if (Array.isArray(value)) into.add(plain(value.filter((one) => typeof one === 'string').join(' ')))
    for (const [key, inner] of Object.entries(value)) {
      into.add(key)
      gather(inner, into)
    }
  }
}

/** All that a page says, each once: nothing of code, which is in the language of its authors. */
function listTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const isCode = (element: Element | null) =>
      element === null || element.closest('code, pre, script, style, kbd') !== null
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!isCode(node.parentElement) && node.parentElement?.checkVisibility()) found.add(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-roledescription']) {
      for (const element of document.querySelectorAll(`[${name}]`)) found.add(element.getAttribute(name) ?? '')
    }
    return [...found, document.title]
  })
}
