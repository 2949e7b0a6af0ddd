import { en, type Word } from './en.ts'
import { LABELS } from './labels.ts'
import { RESOURCES } from './resources.ts'

export type { Word }
export type Words = Readonly<Record<Word, string>>
export type Language = 'en' | 'de'

let words: Words = en
let language: Language = 'en'
let labels: Readonly<Record<string, string>> = {}

/** Loads the texts in the language of the browser. */
export async function loadWords(): Promise<void> {
  language = chooseLanguage()
  document.documentElement.lang = language
  if (language === 'de') {
    const [german, own] = await Promise.all([import('./de.ts'), import('./labels-de.ts')])
    words = german.de
    labels = own.LABELS_DE
  }
}

/** The first language of the browser that there are texts in. */
export function chooseLanguage(): Language {
  return navigator.languages.map((one) => one.slice(0, 2)).find(isLanguage) ?? 'en'
}

function isLanguage(name: string): name is Language {
  return name === 'en' || name === 'de'
}

/** Whether there is such a word. */
export function isWord(name: string): name is Word {
  return Object.hasOwn(words, name)
}

/** Yields a text with its placeholders filled in. */
export function t(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  return words[word].replace(/\{(\w+)\}/g, (whole, name: string) => isolate(String(values[name] ?? whole)))
}

/** Isolates a text written from right to left, so that it does not reverse the sentence around it. */
export function isolate(text: string): string {
  if (
    !/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u200f\u202a-\u202e\u2066-\u2069]/u.test(
      text,
    )
  )
    return text
  return `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069`
}

/** Names the records of a resource, one or many. */
export function nameOf(plural: string, count: 'one' | 'many'): string {
  const [enOne, enMany, deOne, deMany] = RESOURCES[plural] ?? [plural, plural, plural, plural]
  const [one, many] = language === 'de' ? [deOne, deMany] : [enOne, enMany]
  const name = count === 'one' ? one : many
  return name === plural ? humanize(plural) : name
}

/** Yields the name of a resource inside of a sentence: in lower case, except in German. */
export function nameInText(plural: string, count: 'one' | 'many'): string {
  const name = nameOf(plural, count)
  return language === 'de' || /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

/**
 * Yields the label of a key of the API: `operatingsystem_id` is "Operating system". A key without a label is split into
 * words.
 */
export function labelOf(key: string): string {
  const base = key.replace(/_(?:ids?|name|title)$/, '')
  const linked = key.endsWith('_ids') ? `${base}s` : base
  const [en, de] = LABELS[key] ?? LABELS[linked] ?? []
  if (en !== undefined && de !== undefined) return language === 'de' ? de : en
  if (linked in RESOURCES) return nameOf(linked, 'many')
  const plural = [PLURALS[base], `${base}s`, `${base}es`, base.replace(/y$/, 'ies')].find(
    (one) => one !== undefined && one in RESOURCES,
  )
  if (plural !== undefined) return nameOf(plural, key.endsWith('_ids') ? 'many' : 'one')
  return labels[key] ?? labels[linked] ?? humanize(linked)
}

const PLURALS: Readonly<Record<string, string>> = { medium: 'media' }

function humanize(key: string): string {
  const text = key.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Formats a time of the API in the language of the browser. */
export function formatTime(text: string): string {
  const time = new Date(text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'))
  return Number.isNaN(time.getTime())
    ? text
    : time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Formats a time by its distance from now: 2 hours ago, in short 2 hr. ago. */
export function formatAgo(text: string, style: 'long' | 'short' = 'long'): string {
  const time = Date.parse(text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'))
  if (Number.isNaN(time)) return text
  const seconds = (time - Date.now()) / 1000
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? (['minute', 60] as const)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style }).format(Math.round(seconds / size), unit)
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
] as const

/** Formats a length of time in its largest unit: 3 days. */
export function formatLength(seconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? (['minute', 60] as const)
  const number = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return number.format(Math.round(seconds / size))
}

/** Formats a day in the service's time zone, in short form. */
export function formatDay(day: Date): string {
  return day.toLocaleDateString(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

export function formatNumber(value: number): string {
  return value.toLocaleString(language)
}
