/** Memberships, by the cheapest way that the server type has (core-api §6.4). */
import type { Searcher } from '../connection.ts'
import type { Person } from '../person.ts'
import { type DirectorySource, usesNetgroups } from '../source.ts'
import { findMembersByAttribute, findMembershipsByAttribute } from './by-attribute.ts'
import { findMembersByLink, findMembershipsByLink } from './by-link.ts'
import { findMembersByList, findMembershipsByList } from './by-list.ts'
import type { GroupMemory } from './memory.ts'
import { findMembershipsInNetgroups, membersOfNetgroup } from './netgroups.ts'

/** Yields the names of all groups of a person, nested ones included, in lower case. */
export async function groupsOfPerson(
  source: DirectorySource,
  searcher: Searcher,
  person: Person,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  if (usesNetgroups(source)) return findMembershipsInNetgroups(source, searcher, person.login, memory)
  return MEANS[source.serverType].memberships(source, searcher, person, memory)
}

/** Yields the logins of all members of a group, in lower case; null when there is no such group. */
export async function membersOfGroup(
  source: DirectorySource,
  searcher: Searcher,
  group: string,
): Promise<ReadonlySet<string> | null> {
  if (usesNetgroups(source)) return membersOfNetgroup(source, searcher, group)
  return MEANS[source.serverType].members(source, searcher, group)
}

/** Tells administrators how the groups of people are found. */
export function meansOf(source: DirectorySource): string {
  return usesNetgroups(source) ? 'nisNetgroupTriple and memberNisNetgroup of netgroups' : MEANS[source.serverType].told
}

const byList = {
  told: 'memberUid, member and uniqueMember of groups, level by level',
  memberships: findMembershipsByList,
  members: findMembersByList,
}

const MEANS = {
  directory_a: {
    told: 'memberOf of the person, which the server keeps complete',
    memberships: findMembershipsByAttribute,
    members: findMembersByAttribute,
  },
  directory_b: {
    told: 'msds-memberOfTransitive, else memberOf level by level, and the primary group',
    memberships: findMembershipsByLink,
    members: findMembersByLink,
  },
  posix: byList,
  directory_c: byList,
} as const
