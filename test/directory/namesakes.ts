import { Client } from 'ldapts'
import type { Random } from '../fuzz/random.ts'
import { addEntries, type Entry, nestGroups } from '../support/directories/entries.ts'
import type { TestDirectory } from '../support/directories/index.ts'
import type { TestGroup } from '../support/directories/people.ts'

// People and groups with the same names, in and below each other in every way that a server has.

/** A way in which a group has members. */
export type Way = 'member' | 'uniqueMember' | 'memberUid' | 'netgroup'

/** A group; `below` is the one that it lies below in the tree, which has it as a member by that. */
interface Namesake extends TestGroup {
  readonly way: Way
  readonly below: Namesake | null
}

/** What was added to a directory: who is in which group, nested ones included. */
export interface Namesakes extends AsyncDisposable {
  readonly people: readonly string[]
  readonly groups: readonly string[]
  readonly isMember: (person: string, group: string) => boolean
}

/** The names of people, whose `cn` is their login. Groups have them, too. */
const PEOPLE = ['carl-k', 'dora-k', 'emil-k', 'fred-k']
const GROUPS = [...PEOPLE, 'outer-k', 'other-k', 'third-k']

/** Which groups there are: whether they lie below others, too, and whether they have each other as members. */
interface Shape {
  readonly ways: readonly Way[]
  readonly isTree: boolean
  readonly isLooped: boolean
  readonly random: Random
}

/** Adds people and random groups to a directory, until the end. */
export async function addNamesakes(server: TestDirectory, shape: Shape): Promise<Namesakes> {
  const groups = chooseGroups(shape)
  const client = new Client({ url: `ldaps://${server.host}:${server.tlsPort}`, tlsOptions: { ca: server.ca } })
  await client.bind(server.administrator.dn, server.administrator.password)
  const entries = [
    ...PEOPLE.map((name) => personEntry(server, name)),
    ...groups.map((group) => groupEntry(server, group)),
  ]
  await addEntries(client, entries)
  const dnOf = (name: string) => groupDn(server, findNamed(groups, name))
  for (const way of ['member', 'uniqueMember'] as const) {
    const listing = groups.filter((group) => group.way === way)
    await nestGroups(client, listing, dnOf, way)
  }
  return {
    people: PEOPLE,
    groups: GROUPS,
    isMember: (person, group) => closureOf(groups, group).some(({ people }) => people.includes(person)),
    async [Symbol.asyncDispose]() {
      for (const { dn } of entries.toReversed()) await client.del(dn)
      await client.unbind()
    },
  }
}

function chooseGroups({ ways, isTree, isLooped, random }: Shape): readonly Namesake[] {
  const some = (names: readonly string[]) => names.filter(() => random.chance(0.3))
  const groups: Namesake[] = []
  for (const name of GROUPS) {
    const way = random.one(ways)
    const below = isTree && groups.length > 0 && random.chance(0.4) ? random.one(groups) : null
    const others = isLooped ? GROUPS.filter((one) => one !== name) : groups.map((group) => group.name)
    const inner = way === 'memberUid' ? [] : some(others)
    groups.push({ name, way, below, people: some(PEOPLE), groups: inner })
  }
  return groups
}

/** Yields the group, and all within it. */
function closureOf(groups: readonly Namesake[], name: string): readonly Namesake[] {
  const found = new Set([findNamed(groups, name)])
  for (const outer of found)
    for (const group of groups) if (outer.groups.includes(group.name) || group.below === outer) found.add(group)
  return [...found]
}

function findNamed(groups: readonly Namesake[], name: string): Namesake {
  const found = groups.find((group) => group.name === name)
  if (!found) throw new Error(`there is no group ${name}`)
  return found
}

/** The DN of a person does not begin with the login, but for the kind whose people are called so. */
function personDn({ kind, usersBase }: TestDirectory, name: string): string {
  return kind === 'samba' ? `CN=${name},${usersBase}` : `uid=u-${name},${usersBase}`
}

function personEntry(server: TestDirectory, name: string): Entry {
  const own =
    server.kind === 'samba'
      ? { objectClass: 'user', sAMAccountName: `u-${name}` }
      : {
          objectClass: ['inetOrgPerson', ...(server.kind === 'ds389' ? ['inetUser'] : [])],
          uid: `u-${name}`,
          cn: name,
        }
  return { dn: personDn(server, name), attributes: { ...own, sn: 'Namesake' } }
}

function groupDn(server: TestDirectory, { name, below }: Namesake): string {
  return `cn=${name},${below ? groupDn(server, below) : server.groupsBase}`
}

const NUMBER = 30_000

function groupEntry(server: TestDirectory, group: Namesake): Entry {
  const { name, way, people, groups } = group
  // A group must have a member on some servers: this one has left, and had the name of a person.
  const gone = server.kind === 'samba' ? [] : [`cn=${PEOPLE[0]},ou=gone,${server.usersBase}`]
  const listed = [...gone, ...people.map((one) => personDn(server, one))]
  const posix = { objectClass: 'posixGroup', gidNumber: String(NUMBER + GROUPS.indexOf(name)), memberUid: people }
  const attributes = {
    member: { objectClass: 'groupOfNames', member: listed },
    uniqueMember: { objectClass: 'groupOfUniqueNames', uniqueMember: listed },
    memberUid: posix,
    netgroup: {
      objectClass: 'nisNetgroup',
      nisNetgroupTriple: people.map((one) => `(,${one},)`),
      memberNisNetgroup: groups,
    },
  }[way]
  const special = {
    slapd: {},
    ds389: { objectClass: ['groupOfNames', 'nestedGroup'] },
    samba: { objectClass: 'group', sAMAccountName: `g-${name}` },
  }[server.kind]
  return {
    dn: groupDn(server, group),
    attributes: { ...attributes, ...special, ...(server.kind !== 'samba' && { cn: name }) },
  }
}
