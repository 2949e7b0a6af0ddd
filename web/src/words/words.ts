import { en, type Word } from './en.ts'
import { LABELS } from './labels.ts'
import { RESOURCES } from './resources.ts'

export type { Word }
export type Words = Readonly<Record<Word, string>>
export type Language = 'en' | 'de'

let words: Words = en
let language: Language = 'en'

/** Loads the texts in the first language of the browser that there are texts in. */
export async function loadWords(): Promise<void> {
  language = navigator.languages.map((one) => one.slice(0, 2)).find(isLanguage) ?? 'en'
  words = language === 'de' ? (await import('./de.ts')).de : en
  document.documentElement.lang = language
}

function isLanguage(name: string): name is Language {
  return name === 'en' || name === 'de'
}

/** A text, with values in the places that it leaves for them. */
export function t(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  return words[word].replace(/\{(\w+)\}/g, (whole, name: string) => bounded(String(values[name] ?? whole)))
}

/** What is written from right to left, or says so, does not turn around the sentence that it stands in. */
function bounded(text: string): string {
  if (
    !/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u200f\u202a-\u202e\u2066-\u2069]/u.test(
      text,
    )
  )
    return text
  return `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069`
}

/** What records of a resource are called: one of them, or many. */
export function nameOf(plural: string, count: 'one' | 'many'): string {
  const [enOne, enMany, deOne, deMany] = RESOURCES[plural] ?? [plural, plural, plural, plural]
  const [one, many] = language === 'de' ? [deOne, deMany] : [enOne, enMany]
  const name = count === 'one' ? one : many
  return name === plural ? humanize(plural) : name
}

/** What people call a key of the API: `operatingsystem_id` is "Operating system". Keys without a text are their own words. */
export function labelOf(key: string): string {
  const linked = key.replace(/_ids$/, 's').replace(/_(?:id|name|title)$/, '')
  const [en, de] = LABELS[key] ?? LABELS[linked] ?? []
  if (en !== undefined && de !== undefined) return language === 'de' ? de : en
  if (linked in RESOURCES) return nameOf(linked, 'many')
  const plural = [PLURALS[linked], `${linked}s`, `${linked}es`, linked.replace(/y$/, 'ies')].find(
    (one) => one !== undefined && one in RESOURCES,
  )
  return plural === undefined ? humanize(linked) : nameOf(plural, 'one')
}

const PLURALS: Readonly<Record<string, string>> = { medium: 'media' }

function humanize(key: string): string {
  const text = key.replaceAll('_', ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A time of the API in the words of the browser. */
export function formatTime(text: string): string {
  const time = new Date(text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'))
  return Number.isNaN(time.getTime())
    ? text
    : time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}

/** A day of the calendar that the service keeps, short. */
export function formatDay(day: Date): string {
  return day.toLocaleDateString(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

export function formatNumber(value: number): string {
  return value.toLocaleString(language)
}
