/** Memberships for server type directory_a: the server keeps all groups of a person, nested ones too, in `memberOf`. */
import type { Searcher } from '../connection.ts'
import { readTexts } from '../entries.ts'
import { DirectoryError } from '../errors.ts'
import { buildEqual, joinAny, present } from '../filter.ts'
import { isBelow, normalizeDn } from '../names.ts'
import { buildPeopleFilter, foldLogin, isPerson, isShadow, type Person } from '../person.ts'
import { type DirectorySource, groupsBaseOf, loginAttributeOf } from '../source.ts'
import { eachOf, findGroupsNamed, groupNamesOf, loadEntry, namesOfDn } from './groups.ts'
import type { GroupMemory } from './memory.ts'

/**
 * Yields the groups that the person's entry names. When nobody has any, the attribute may be unreadable:
 * `memberships_hidden`.
 */
export async function findMembershipsByAttribute(
  source: DirectorySource,
  searcher: Searcher,
  person: Person,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  if (person.memberOf.length === 0 && (await isHidden(source, searcher))) {
    throw new DirectoryError('memberships_hidden', 'membership')
  }
  const base = groupsBaseOf(source)
  const dns = person.memberOf.filter((dn) => isBelow(dn, base))
  return new Set((await eachOf(dns, (dn) => namesOf(searcher, dn, memory))).flat())
}

/** Yields the people whose entries name the group. */
export async function findMembersByAttribute(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
): Promise<ReadonlySet<string> | null> {
  const groups = (await findGroupsNamed(source, searcher, name, [])).filter((group) => !isShadow(source, group.dn))
  if (groups.length === 0) return null
  return listLoginsWhere(source, searcher, joinAny(groups.map((group) => buildEqual('memberOf', group.dn))))
}

/** Lists the logins of the people who match a condition. */
export async function listLoginsWhere(
  source: DirectorySource,
  searcher: Searcher,
  condition: Parameters<typeof buildPeopleFilter>[1],
): Promise<ReadonlySet<string>> {
  const attribute = loginAttributeOf(source)
  const { entries } = await searcher.search({
    step: 'membership',
    base: source.baseDn,
    scope: 'sub',
    filter: buildPeopleFilter(source, condition),
    attributes: ['objectClass', attribute],
    paged: true,
  })
  const people = entries.filter((entry) => isPerson(source, entry))
  return new Set(people.flatMap((entry) => readTexts(entry, attribute)).map(foldLogin))
}

async function isHidden(source: DirectorySource, searcher: Searcher): Promise<boolean> {
  const { entries } = await searcher.search({
    step: 'membership',
    base: source.baseDn,
    scope: 'sub',
    filter: present('memberOf'),
    attributes: ['memberOf'],
    limit: 1,
  })
  return entries.every((entry) => readTexts(entry, 'memberOf').length === 0)
}

/** Yields the names of a group; where its DN contains a unique id instead of the name, its entry is read. */
async function namesOf(searcher: Searcher, dn: string, memory: GroupMemory): Promise<readonly string[]> {
  const inDn = namesOfDn(dn)
  if (inDn.length > 0) return inDn
  const key = normalizeDn(dn)
  const known = memory.groups.get(key)
  if (known) return known.names
  const entry = await loadEntry(searcher, dn, ['cn'])
  const names = entry ? groupNamesOf(entry) : []
  memory.groups.set(key, { dn, names })
  return names
}
