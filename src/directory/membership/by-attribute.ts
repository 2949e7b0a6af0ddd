/** Memberships for server type directory_a: the server keeps all groups of a person, nested ones too, in `memberOf`. */
import type { Searcher } from '../connection.ts'
import { texts } from '../entries.ts'
import { DirectoryError } from '../errors.ts'
import { any, equal, present } from '../filter.ts'
import { isBelow, normalizeDn } from '../names.ts'
import { folded, isShadow, type Person, peopleFilter } from '../person.ts'
import { type DirectorySource, groupsBase, loginAttribute } from '../source.ts'
import { eachOf, entryAt, groupNames, groupsNamed, namesInDn } from './groups.ts'
import type { GroupMemory } from './memory.ts'

/**
 * Yields the groups that the person's entry names. When nobody has any, the attribute may be unreadable:
 * `memberships_hidden`.
 */
export async function membershipsByAttribute(
  source: DirectorySource,
  searcher: Searcher,
  person: Person,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  if (person.memberOf.length === 0 && (await isHidden(source, searcher))) {
    throw new DirectoryError('memberships_hidden', 'membership')
  }
  const base = groupsBase(source)
  const dns = person.memberOf.filter((dn) => isBelow(dn, base))
  return new Set((await eachOf(dns, (dn) => namesOf(searcher, dn, memory))).flat())
}

/** Yields the people whose entries name the group. */
export async function membersByAttribute(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
): Promise<ReadonlySet<string> | null> {
  const groups = (await groupsNamed(source, searcher, name, [])).filter((group) => !isShadow(source, group.dn))
  if (groups.length === 0) return null
  return loginsWhere(source, searcher, any(groups.map((group) => equal('memberOf', group.dn))))
}

/** Lists the logins of the people who match a condition. */
export async function loginsWhere(
  source: DirectorySource,
  searcher: Searcher,
  condition: Parameters<typeof peopleFilter>[1],
): Promise<ReadonlySet<string>> {
  const attribute = loginAttribute(source)
  const { entries } = await searcher.search({
    step: 'membership',
    base: source.baseDn,
    scope: 'sub',
    filter: peopleFilter(source, condition),
    attributes: [attribute],
    paged: true,
  })
  const people = entries.filter((entry) => !isShadow(source, entry.dn))
  return new Set(people.flatMap((entry) => texts(entry, attribute)).map(folded))
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
  return entries.every((entry) => texts(entry, 'memberOf').length === 0)
}

/** Yields the names of a group; where its DN contains a unique id instead of the name, its entry is read. */
async function namesOf(searcher: Searcher, dn: string, memory: GroupMemory): Promise<readonly string[]> {
  const inDn = namesInDn(dn)
  if (inDn.length > 0) return inDn
  const key = normalizeDn(dn)
  const known = memory.groups.get(key)
  if (known) return known.names
  const entry = await entryAt(searcher, dn, ['cn'])
  const names = entry ? groupNames(entry) : []
  memory.groups.set(key, { dn, names })
  return names
}
