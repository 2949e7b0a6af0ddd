/**
 * Memberships for server type directory_b, whose groups and members link to each other. The attribute that lists all groups
 * of a person is cheapest; where the server has none, the links are followed upward and remembered. The matching rule "in
 * chain" needs a single search, but walks the whole directory: it is only used for the members of a group, not at logins.
 */
import type { Searcher } from '../connection.ts'
import { readBytes, readTexts } from '../entries.ts'
import { DirectoryError } from '../errors.ts'
import { buildEqual, buildMatching, IN_CHAIN, joinAny } from '../filter.ts'
import type { Filter } from '../filter-tree.ts'
import { isBelow, normalizeDn } from '../names.ts'
import type { Person } from '../person.ts'
import { type DirectorySource, groupsBaseOf } from '../source.ts'
import { listLoginsWhere } from './by-attribute.ts'
import { findMembersByList, findMembershipsByList } from './by-list.ts'
import { eachOf, findGroupsNamed, groupNamesOf, loadEntry, namesOfDn } from './groups.ts'
import type { Group, GroupMemory } from './memory.ts'

const TRANSITIVE = 'msds-memberOfTransitive'
const MOST_LEVELS = 200

/** Yields the groups of a person, with the primary group, which does not list the person as a member. */
export async function findMembershipsByLink(
  source: DirectorySource,
  searcher: Searcher,
  person: Person,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  // Every account of such a server has a primary group. Other servers with the same classes may lack both attributes.
  if (person.memberOf.length === 0 && !person.primaryGroup) {
    return findMembershipsByList(source, searcher, person, memory)
  }
  const [groups, primary] = await Promise.all([
    findAncestors(searcher, person.dn, person.memberOf, memory),
    findPrimaryGroups(source, searcher, person.primaryGroup, memory),
  ])
  const base = groupsBaseOf(source)
  const below = [...groups, ...primary].filter((group) => isBelow(group.dn, base))
  return new Set(below.flatMap((group) => group.names))
}

/** Yields the members of a group: direct ones, those of nested groups, and those whose primary group it is. */
export async function findMembersByLink(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
): Promise<ReadonlySet<string> | null> {
  const groups = await findGroupsNamed(source, searcher, name, ['objectSid'])
  if (groups.length === 0) return null
  const conditions: Filter[] = groups.flatMap((group) => {
    const number = lastPartOf(readBytes(group, 'objectSid'))
    const chain = buildMatching('memberOf', IN_CHAIN, group.dn)
    return number === null ? [chain] : [chain, buildEqual('primaryGroupID', String(number))]
  })
  const found = await listLoginsWhere(source, searcher, joinAny(conditions)).catch(toNobodyIfUnknown)
  // Servers that lack the matching rule refuse it or find nobody; their groups are read instead.
  return found.size > 0 ? found : findMembersByList(source, searcher, name)
}

function toNobodyIfUnknown(error: unknown): ReadonlySet<string> {
  if (error instanceof DirectoryError && ['failed', 'paging_unsupported'].includes(error.code)) return new Set()
  throw error
}

async function findAncestors(
  searcher: Searcher,
  dn: string,
  direct: readonly string[],
  memory: GroupMemory,
): Promise<readonly Group[]> {
  if (direct.length === 0) return []
  if (!memory.lists.get(TRANSITIVE)) {
    const listed = await loadEntry(searcher, dn, [TRANSITIVE])
    const transitive = listed ? readTexts(listed, TRANSITIVE) : []
    if (contains(transitive, direct)) return transitive.map((group) => ({ dn: group, names: namesOfDn(group) }))
    memory.lists.set(TRANSITIVE, ['missing'])
  }
  return walk(searcher, direct, memory)
}

/** Collects the groups above level by level; each is read once, up to a maximum number of levels. */
async function walk(searcher: Searcher, direct: readonly string[], memory: GroupMemory): Promise<readonly Group[]> {
  const found = new Map<string, Group>()
  let level: readonly Group[] = direct.map((dn) => ({ dn, names: namesOfDn(dn) }))
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS; depth++) {
    const fresh = level.filter((group) => !found.has(normalizeDn(group.dn)))
    for (const group of fresh) found.set(normalizeDn(group.dn), group)
    level = (await eachOf(fresh, (group) => parentsOf(searcher, group.dn, memory))).flat()
  }
  return [...found.values()]
}

async function parentsOf(searcher: Searcher, dn: string, memory: GroupMemory): Promise<readonly Group[]> {
  const key = normalizeDn(dn)
  const known = memory.parents.get(key)
  if (known) return known
  const entry = await loadEntry(searcher, dn, ['memberOf'])
  const parents = entry ? readTexts(entry, 'memberOf').map((above) => ({ dn: above, names: namesOfDn(above) })) : []
  memory.parents.set(key, parents)
  return parents
}

/**
 * Tells whether one list of DNs contains one of the other: a server that does not know the attribute answers without error.
 */
function contains(dns: readonly string[], some: readonly string[]): boolean {
  const known = new Set(dns.map(normalizeDn))
  return some.every((dn) => known.has(normalizeDn(dn)))
}

/** Yields the primary group and those that contain it. They are few and shared by many people, so they are remembered. */
async function findPrimaryGroups(
  source: DirectorySource,
  searcher: Searcher,
  identifier: Buffer | null,
  memory: GroupMemory,
): Promise<readonly Group[]> {
  if (!identifier) return []
  const key = identifier.toString('hex')
  const known = memory.parents.get(key)
  if (known) return known
  const { entries } = await searcher.search({
    step: 'membership',
    base: groupsBaseOf(source),
    scope: 'sub',
    filter: { kind: 'equal', attribute: 'objectSid', value: identifier },
    attributes: ['cn', 'memberOf'],
  })
  const [group] = entries
  const groups = group
    ? [
        { dn: group.dn, names: groupNamesOf(group) },
        ...(await findAncestors(searcher, group.dn, readTexts(group, 'memberOf'), memory)),
      ]
    : []
  memory.parents.set(key, groups)
  return groups
}

/** Yields the number of a group within its domain: the last four bytes of its identifier. */
function lastPartOf(identifier: Buffer | null): number | null {
  return identifier && identifier.length >= 12 ? identifier.readUInt32LE(identifier.length - 4) : null
}
