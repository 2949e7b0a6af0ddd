/**
 * Memberships for server types posix and directory_c: groups list their members by login (`memberUid`) or DN, and people do
 * not list their groups.
 */
import type { Entry, Searcher } from '../connection.ts'
import { readTexts } from '../entries.ts'
import { buildEqual, joinAny, present } from '../filter.ts'
import { isBelow, normalizeDn, parentDnOf, parseFirstRdn } from '../names.ts'
import { buildPeopleFilter, foldLogin, isPerson, type Person } from '../person.ts'
import { type DirectorySource, groupsBaseOf, loginAttributeOf } from '../source.ts'
import { eachOf, findGroupsNamed, groupNamesOf, IS_GROUP, loadEntry, MEMBERS } from './groups.ts'
import type { Group, GroupMemory } from './memory.ts'

const BY_LOGIN = 'memberUid'
const LISTS: readonly string[] = [...MEMBERS, BY_LOGIN]
const MOST_LEVELS = 200
const PER_SEARCH = 40

/**
 * Finds the groups that list the person, then level by level the groups that contain those; each group is searched for once.
 */
export async function findMembershipsByList(
  source: DirectorySource,
  searcher: Searcher,
  person: Person,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  const lists = await findListsUsed(source, searcher, memory)
  const naming = lists.map((list) => buildEqual(list, list === BY_LOGIN ? person.login : person.dn))
  const direct = naming.length > 0 ? await search(source, searcher, naming) : []
  const seen = new Map<string, Group>()
  let level: readonly Group[] = direct.map(toGroup)
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS; depth++) {
    level = await parentsOf(source, searcher, takeUnseen(level, seen), memory)
  }
  return new Set([...seen.values()].flatMap((group) => group.names))
}

/** Lists the logins of a group's members, listed by login or DN, and of the groups within it. */
export async function findMembersByList(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
): Promise<ReadonlySet<string> | null> {
  let level = await findGroupsNamed(source, searcher, name, LISTS)
  if (level.length === 0) return null
  const logins = new Set<string>()
  const seen = new Set<string>()
  const read = new Set<string>()
  for (let depth = 0; level.length > 0 && depth < MOST_LEVELS; depth++) {
    const groups = level.filter((group) => isNew(seen, group.dn))
    for (const login of groups.flatMap((group) => readTexts(group, BY_LOGIN))) logins.add(foldLogin(login))
    const dns = groups.flatMap(memberDnsOf).filter((dn) => isNew(read, dn))
    const members = await eachOf(dns, (dn) => readMember(source, searcher, dn))
    for (const login of members.flatMap((member) => member?.logins ?? [])) logins.add(login)
    const filed = await eachOf(groups, (group) => listGroupsBelow(searcher, group.dn))
    level = [...members.flatMap((member) => member?.group ?? []), ...filed.flat()]
  }
  return logins
}

/** What a listed DN stands for: a person with these logins, or a group. */
interface Member {
  readonly logins: readonly string[]
  readonly group: Entry | null
}

/**
 * Reads what a listed DN stands for, as a login would find it: a person below the base of people, or a group below that of
 * groups. Null for anything else. A DN alone tells nothing: groups are called as people are.
 */
async function readMember(source: DirectorySource, searcher: Searcher, dn: string): Promise<Member | null> {
  const attribute = loginAttributeOf(source)
  if (isBelow(dn, source.baseDn)) {
    const condition = buildPeopleFilter(source, present(attribute))
    const entry = await loadEntry(searcher, dn, ['objectClass', attribute], condition)
    if (entry && isPerson(source, entry)) return { logins: readTexts(entry, attribute).map(foldLogin), group: null }
  }
  if (!isBelow(dn, groupsBaseOf(source))) return null
  const group = await loadEntry(searcher, dn, ['cn', ...LISTS], IS_GROUP)
  return group && { logins: [], group }
}

/** Lists the groups right below a group in the tree, which count as its members (core-api §6.4). */
async function listGroupsBelow(searcher: Searcher, dn: string): Promise<readonly Entry[]> {
  if (!isNamed(dn)) return []
  const { entries } = await searcher.search({
    step: 'membership',
    base: dn,
    scope: 'one',
    filter: IS_GROUP,
    attributes: ['cn', ...LISTS],
    paged: true,
  })
  return entries
}

/** Tells whether a DN begins with a name, as those do below which groups are looked for. */
function isNamed(dn: string): boolean {
  return parseFirstRdn(dn)?.attribute === 'cn'
}

/** Yields the groups that are seen for the first time, because many groups lie within the same ones. */
function takeUnseen(groups: readonly Group[], seen: Map<string, Group>): readonly Group[] {
  return groups.filter((group) => {
    const key = normalizeDn(group.dn)
    if (seen.has(key)) return false
    seen.set(key, group)
    return true
  })
}

/** Yields the groups that contain these, from memory where it has them. */
async function parentsOf(
  source: DirectorySource,
  searcher: Searcher,
  groups: readonly Group[],
  memory: GroupMemory,
): Promise<readonly Group[]> {
  const known: Group[] = []
  const unknown: Group[] = []
  for (const group of groups) {
    const parents = memory.parents.get(normalizeDn(group.dn))
    if (parents) known.push(...parents)
    else unknown.push(group)
  }
  for (let at = 0; at < unknown.length; at += PER_SEARCH) {
    known.push(...(await learn(source, searcher, unknown.slice(at, at + PER_SEARCH), memory)))
  }
  return known
}

async function learn(
  source: DirectorySource,
  searcher: Searcher,
  groups: readonly Group[],
  memory: GroupMemory,
): Promise<readonly Group[]> {
  const lists = (await findListsUsed(source, searcher, memory)).filter((list) => list !== BY_LOGIN)
  const conditions = groups.flatMap((group) => lists.map((list) => buildEqual(list, group.dn)))
  const [entries, above] = await Promise.all([
    conditions.length > 0 ? search(source, searcher, conditions, lists) : [],
    eachOf(groups, (group) => listGroupsAbove(source, searcher, group.dn)),
  ])
  groups.forEach((group, at) => {
    const key = normalizeDn(group.dn)
    const containing = entries.filter((entry) => memberDnsOf(entry).some((dn) => normalizeDn(dn) === key))
    memory.parents.set(key, [...containing.map(toGroup), ...(above[at] ?? [])])
  })
  return [...entries.map(toGroup), ...above.flat()]
}

/** Yields the parent entry of a group, if it is a group. */
async function listGroupsAbove(source: DirectorySource, searcher: Searcher, dn: string): Promise<readonly Group[]> {
  const parent = parentDnOf(dn)
  if (!isBelow(parent, groupsBaseOf(source)) || !isNamed(parent)) return []
  const entry = await loadEntry(searcher, parent, ['cn'], IS_GROUP)
  return entry ? [toGroup(entry)] : []
}

async function search(
  source: DirectorySource,
  searcher: Searcher,
  conditions: Parameters<typeof joinAny>[0],
  attributes: readonly string[] = [],
): Promise<readonly Entry[]> {
  const { entries } = await searcher.search({
    step: 'membership',
    base: groupsBaseOf(source),
    scope: 'sub',
    filter: joinAny(conditions),
    attributes: ['cn', ...attributes],
    paged: true,
  })
  return entries
}

/**
 * Lists the membership attributes in use: searching for an attribute that no group has makes many servers without an index
 * read all entries.
 */
async function findListsUsed(
  source: DirectorySource,
  searcher: Searcher,
  memory: GroupMemory,
): Promise<readonly string[]> {
  const known = memory.lists.get('')
  if (known) return known
  const answers = await Promise.all(
    LISTS.map((list) =>
      searcher.search({
        step: 'membership',
        base: groupsBaseOf(source),
        scope: 'sub',
        filter: present(list),
        attributes: ['cn'],
        limit: 1,
      }),
    ),
  )
  const used = LISTS.filter((_, at) => answers[at]?.entries.length)
  memory.lists.set('', used)
  return used
}

function memberDnsOf(entry: Entry): string[] {
  return MEMBERS.flatMap((attribute) => readTexts(entry, attribute))
}

function isNew(seen: Set<string>, dn: string): boolean {
  const key = normalizeDn(dn)
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

function toGroup(entry: Entry): Group {
  return { dn: entry.dn, names: groupNamesOf(entry) }
}
