/**
 * Netgroups: lists of `(host,user,domain)` and of other netgroups. Servers cannot search them by user, so that all are read.
 */
import type { Searcher } from '../connection.ts'
import { readText, readTexts } from '../entries.ts'
import { buildEqual } from '../filter.ts'
import { foldLogin } from '../person.ts'
import { type DirectorySource, groupsBaseOf } from '../source.ts'
import type { GroupMemory, Netgroup } from './memory.ts'

/** Finds the netgroups whose triples name the login, and those that contain them. */
export async function findMembershipsInNetgroups(
  source: DirectorySource,
  searcher: Searcher,
  login: string,
  memory: GroupMemory,
): Promise<ReadonlySet<string>> {
  const netgroups = memory.netgroups.get('') ?? (await readNetgroups(source, searcher))
  memory.netgroups.set('', netgroups)
  const found = new Set(netgroups.filter((group) => group.logins.has(foldLogin(login))).map((group) => group.name))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const group of netgroups) if (group.groups.some((name) => found.has(name))) found.add(group.name)
  }
  return found
}

/** Lists the logins in the triples of a netgroup and of those within it. */
export async function membersOfNetgroup(
  source: DirectorySource,
  searcher: Searcher,
  name: string,
): Promise<ReadonlySet<string> | null> {
  const netgroups = await readNetgroups(source, searcher)
  const wanted = name.toLowerCase()
  if (!netgroups.some((group) => group.name === wanted)) return null
  const within = new Set([wanted])
  for (const inner of within) {
    for (const group of netgroups) if (group.name === inner) for (const member of group.groups) within.add(member)
  }
  return new Set(netgroups.filter((group) => within.has(group.name)).flatMap((group) => [...group.logins]))
}

async function readNetgroups(source: DirectorySource, searcher: Searcher): Promise<Netgroup[]> {
  const { entries } = await searcher.search({
    step: 'membership',
    base: groupsBaseOf(source),
    scope: 'sub',
    filter: buildEqual('objectClass', 'nisNetgroup'),
    attributes: ['cn', 'nisNetgroupTriple', 'memberNisNetgroup'],
    paged: true,
  })
  return entries.flatMap((entry) => {
    const name = readText(entry, 'cn')?.toLowerCase()
    if (!name) return []
    const logins = new Set(readTexts(entry, 'nisNetgroupTriple').flatMap(loginOf))
    return [{ name, logins, groups: readTexts(entry, 'memberNisNetgroup').map((group) => group.toLowerCase()) }]
  })
}

/** Yields the user of `(host,user,domain)`: none for a blank, which means everybody, and for `-`, which means nobody. */
function loginOf(triple: string): string[] {
  const user = /^\s*\(([^,]*),([^,]*),([^,)]*)\)\s*$/.exec(triple)?.[2]?.trim()
  return user && user !== '-' ? [foldLogin(user)] : []
}
