import { RE2JS } from 're2js'
import { parse } from 'yaml'
import { parseSearch, SearchError } from '../search/index.ts'

/**
 * A language of its own that texts of a field or of a setting are in, because something compiles or parses them later. They are
 * compiled when they are written, so that nothing fails where they are read.
 */
export interface Language {
  readonly name: LanguageName
  /** Yields what is wrong with a text, for people; null for a correct one. */
  readonly findProblem: (text: string) => string | null
}

/** The names of all languages. */
export type LanguageName =
  | 'address'
  | 'certificates'
  | 'known hosts'
  | 'LDAP attribute'
  | 'LDAP filter'
  | 'log levels'
  | 'private key'
  | 'public key'
  | 'regular expression'
  | 'search'
  | 'template'
  | 'time zone'
  | 'URL'
  | 'YAML'

/** A search, whose syntax is checked; the fields in it are known only with what is searched. */
export const SEARCH: Language = {
  name: 'search',
  findProblem: (text) => {
    try {
      parseSearch(text)
      return null
    } catch (error) {
      if (error instanceof SearchError) return error.message
      throw error
    }
  },
}

/** A document in YAML. */
export const YAML: Language = {
  name: 'YAML',
  findProblem: (text) => {
    try {
      parse(text, { logLevel: 'error' })
      return null
    } catch (error) {
      return `is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`
    }
  },
}

/** Names of time zones. */
export const TIME_ZONE: Language = {
  name: 'time zone',
  findProblem: (text) => (isTimeZone(text) ? null : 'is not the name of a time zone such as Europe/Berlin'),
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Builds the language of URLs that fit a pattern and can be parsed once their variables have values. */
export function buildUrlLanguage(pattern: RegExp, problem: string): Language {
  return { name: 'URL', findProblem: (text) => (pattern.test(text) && isUrl(text) ? null : problem) }
}

/** Whether a text is a URL; `$arch` and the like stand for parts of it. */
function isUrl(text: string): boolean {
  return URL.canParse(text.replace(/\$\w+/g, '1'))
}

/** Whether a text is the URL of something on the web. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#@]+\S*$/.test(text) && URL.canParse(text)
}

/** Whether a text is a regular expression for the engine with linear time, of a size that it can bear. */
export function isRegexp(text: string): boolean {
  try {
    RE2JS.compile(text)
    return true
  } catch {
    return false
  }
}

/**
 * Tells whether a text is blank or the URL of an HTTP proxy, without parts that would be ignored or that would reveal a
 * password.
 */
export function isHttpProxy(text: string): boolean {
  const url = URL.parse(text)
  return text === '' || (url !== null && /^https?:\/\/[^\s/\\?#@]+\/?$/.test(text))
}
