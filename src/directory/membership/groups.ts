/** Defines what counts as a group, and finds groups by name. */
import type { Entry, Searcher } from '../connection.ts'
import { readTexts } from '../entries.ts'
import { DirectoryError } from '../errors.ts'
import { buildEqual, joinAll, joinAny, present } from '../filter.ts'
import type { Filter } from '../filter-tree.ts'
import { parseFirstRdn } from '../names.ts'
import { type DirectorySource, groupsBaseOf, usesNetgroups } from '../source.ts'

/** Yields all names of a group in lower case, in which they are always compared (core-api §6.5). */
export function groupNamesOf(entry: Entry): readonly string[] {
  const names = readTexts(entry, 'cn').map((name) => name.trim().toLowerCase())
  return names.length > 0 ? names : namesOfDn(entry.dn)
}

/** Yields the name of a group from its DN; none when the DN contains something else, such as a unique id. */
export function namesOfDn(dn: string): readonly string[] {
  const first = parseFirstRdn(dn)
  return first?.attribute === 'cn' ? [first.value.toLowerCase()] : []
}

/** Matches groups only: entries that are or have members. People have names, too. */
export const IS_GROUP: Filter = joinAny([
  ...['group', 'groupOfNames', 'groupOfUniqueNames', 'groupOfMembers', 'posixGroup', 'nestedGroup'].map((name) =>
    buildEqual('objectClass', name),
  ),
  present('member'),
  present('uniqueMember'),
  present('memberUid'),
])

/** The attributes in which groups list the DNs of their members. */
export const MEMBERS = ['member', 'uniqueMember'] as const

/** Finds the groups of this name; netgroups when the source says so. */
export async function findGroupsNamed(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
  attributes: readonly string[],
): Promise<readonly Entry[]> {
  if (name.trim() === '' || /\p{Cc}/u.test(name)) return []
  const kind = usesNetgroups(source) ? buildEqual('objectClass', 'nisNetgroup') : IS_GROUP
  const { entries } = await searcher.search({
    step: 'membership',
    base: groupsBaseOf(source),
    scope: 'sub',
    filter: joinAll([buildEqual('cn', name), kind]),
    attributes: ['cn', ...attributes],
    binary: ['objectSid'],
  })
  const wanted = name.normalize('NFC').toLowerCase()
  return entries.filter((entry) => readTexts(entry, 'cn').some((cn) => cn.normalize('NFC').toLowerCase() === wanted))
}

/** Reads one entry by its DN; null when it does not exist or may not be read. */
export async function loadEntry(
  searcher: Searcher,
  dn: string,
  attributes: readonly string[],
  condition: Filter = present('objectClass'),
): Promise<Entry | null> {
  try {
    const { entries } = await searcher.search({
      step: 'membership',
      base: dn,
      scope: 'base',
      filter: condition,
      attributes,
      binary: ['objectSid'],
    })
    return entries[0] ?? null
  } catch (error) {
    if (error instanceof DirectoryError && PASSED_OVER.has(error.code)) return null
    throw error
  }
}

/** Failures that skip a member: it was deleted, lies elsewhere or is not a DN. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'groups_base_missing',
  'base_missing',
  'base_invalid',
  'referral',
  'denied',
])

/** Does work for each item, a few at a time, because one connection answers several requests concurrently. */
export async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  }
  return results
}

const AT_ONCE = 50
