import { translateName } from './names.ts'
import { CONTENT_PREFIX, OLDER_SEGMENTS, PREFIXES, SHORTER } from './table.ts'

/** The path prefix of classification on servers where that is a plugin. */
export const LOOKED_UP_CLASSES = '/foreman_puppet/api'

/**
 * Converts a URL to the form in which the routes of the dialect are mounted: one of several equal prefixes, without version,
 * trailing slash and `.json` (core-api §1, §2.1).
 */
export function canonicalizeVendorPath(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const canonical = canonicalOf(path)
  return query < 0 ? canonical : canonical + url.slice(query)
}

/** Tells whether the path of a route, in the words of either side, belongs to the content API. */
export function isContentPath(path: string): boolean {
  return path.startsWith(CONTENT_PREFIX.theirs) || path.startsWith(CONTENT_PREFIX.ours)
}

/** Replaces the prefix of a routed path by the one that this service uses, which tells the parts of the API apart. */
export function toServicePath(path: string): string {
  if (path.startsWith(CONTENT_PREFIX.theirs)) return CONTENT_PREFIX.ours + path.slice(CONTENT_PREFIX.theirs.length)
  return path.startsWith(CONTENT_PREFIX.ours) ? '/' : path
}

/** Lists the paths under which clients know a path of this service, the newest first. */
export function toVendorPaths(path: string): string[] {
  const content = path.startsWith(CONTENT_PREFIX.ours)
  const prefixed = content ? CONTENT_PREFIX.theirs + shortenPath(path.slice(CONTENT_PREFIX.ours.length)) : path
  const segments = prefixed.split('/')
  const newest = segments.map((segment) => (segment.startsWith(':') ? segment : translateName('theirs', segment)))
  const older = newest.map((segment) => OLDER_SEGMENTS[segment] ?? segment)
  return [...new Set([newest.join('/'), older.join('/')])]
}

function shortenPath(path: string): string {
  for (const [ours, theirs] of Object.entries(SHORTER))
    if (path === ours || path.startsWith(`${ours}/`)) return theirs + path.slice(ours.length)
  return path
}

function canonicalOf(given: string): string {
  // Inventories put a slash between the address of the server and a path that begins with one (newer-clients §2g).
  const path = given.startsWith('//') ? given.replace(/^\/+/, '/') : given
  if (SUGGESTIONS.test(path)) return `/api${path}`
  for (const [theirs, ours] of PREFIXES) {
    if (!path.startsWith(theirs)) continue
    const rest = path.slice(theirs.length)
    if (rest !== '' && rest.charCodeAt(0) !== SLASH) continue
    const unversioned = rest === '/v2' || rest.startsWith('/v2/') ? rest.slice(3) : rest
    return ours + trimEnding(unversioned)
  }
  return path
}

function trimEnding(rest: string): string {
  const end = rest.endsWith('/') && !rest.endsWith('//') ? rest.slice(0, -1) : rest
  return end.endsWith('.json') && end.length > 5 && !end.endsWith('/.json') ? end.slice(0, -5) : end
}

/** The web pages of existing servers ask for suggestions without the API prefix. */
const SUGGESTIONS = /^\/[a-z_]+\/auto_complete_search$/

const SLASH = 0x2f
