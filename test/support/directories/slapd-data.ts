import { type Entry, escapeDn } from './entries.ts'
import {
  crowd,
  deepGroups,
  GROUPS,
  HASHED_PASSWORD,
  manyGroups,
  NETGROUPS,
  oddPeople,
  PEOPLE,
  photoOf,
  type TestGroup,
  type TestPerson,
} from './people.ts'

export const BASE = 'dc=example,dc=test'
export const USERS = `ou=people,${BASE}`
export const GROUPS_BASE = `ou=groups,${BASE}`
/** Groups of the class groupOfNames, by DN, nested. */
export const MEMBER_GROUPS = `ou=members,${GROUPS_BASE}`
/** Groups of the class posixGroup, by login. */
export const POSIX_GROUPS = `ou=posix,${GROUPS_BASE}`
export const NETGROUPS_BASE = `ou=netgroups,${GROUPS_BASE}`
/** An entry with a referral: searches below it are referred elsewhere. */
export const REFERRAL = `ou=elsewhere,${BASE}`

/** Service accounts by their restriction. */
export const ACCOUNTS = {
  service: serviceDn('service'),
  /** May read nothing. */
  blind: serviceDn('blind'),
  /** Gets at most five entries, with paging, too. */
  limited: serviceDn('limited'),
  /** May not use paging. */
  unpaged: serviceDn('unpaged'),
  /** The account is locked. */
  locked: serviceDn('locked'),
} as const

const USER_COUNT = 10_000
const GROUP_COUNT = 1000

/** 10,000 users and 1,000 groups, half of them posix, for all tests; parents come first. */
export function slapdEntries(): Entry[] {
  const special = [...PEOPLE, ...oddPeople()]
  const everybody = [...special, ...crowd(USER_COUNT - special.length)]
  const memberGroups = withTeams([...GROUPS, ...deepGroups(), ...manyGroups()], GROUP_COUNT / 2)
  const memberOf = directGroups(memberGroups)
  return [
    { dn: BASE, attributes: { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' } },
    ...['people', 'services', 'groups', 'policies'].map((ou) => unit(ou, BASE)),
    ...['members', 'posix', 'netgroups'].map((ou) => unit(ou, GROUPS_BASE)),
    unit('external', USERS),
    lockingPolicy(),
    ...Object.entries(ACCOUNTS).map(([cn, dn]) => serviceEntry(cn, dn)),
    ...everybody.map((person, index) => personEntry(person, index, memberOf.get(person.login))),
    ...twins(),
    withoutLogin(),
    ...memberGroups.map((group) => groupEntry(group, memberOf.get(groupDn(group.name)))),
    ...posixEntries(everybody),
    ...NETGROUPS.map(netgroupEntry),
    {
      dn: REFERRAL,
      attributes: {
        objectClass: ['referral', 'extensibleObject'],
        ou: 'elsewhere',
        ref: 'ldap://127.0.0.1:9/ou=elsewhere,dc=example,dc=test',
      },
    },
  ]
}

/** An additional user `hugephoto` with a photo of 20 MB. */
export function hugePhotoEntry(): Entry {
  const person = { login: 'hugephoto', givenName: 'Huge', surname: 'Photo', mail: 'hugephoto@example.test' }
  return personEntry({ ...person, photo: photoOf(20_000_000) }, USER_COUNT, undefined)
}

export const userDn = (login: string) => `uid=${escapeDn(login)},${USERS}`
export const groupDn = (name: string) => `cn=${escapeDn(name)},${MEMBER_GROUPS}`

/** Adds groups of twenty people each; every tenth also contains the nine before it. */
function withTeams(groups: readonly TestGroup[], count: number): TestGroup[] {
  const team = (index: number) => `team-${String(index).padStart(3, '0')}`
  const teams = Array.from({ length: count - groups.length }, (_, index) => ({
    name: team(index),
    people: Array.from({ length: 20 }, (_, place) => `user${String(index * 20 + place + 1).padStart(5, '0')}`),
    groups: index % 10 === 9 ? Array.from({ length: 9 }, (_, place) => team(index - 9 + place)) : [],
  }))
  return [...groups, ...teams]
}

/** Yields the DNs of the direct groups, by login or group DN, as the memberOf overlay would write them. */
function directGroups(groups: readonly TestGroup[]): Map<string, string[]> {
  const above = new Map<string, string[]>()
  for (const { name, people, groups: inner } of groups) {
    for (const key of [...people, ...inner.map(groupDn)]) above.set(key, [...(above.get(key) ?? []), groupDn(name)])
  }
  return above
}

function unit(ou: string, under: string): Entry {
  return { dn: `ou=${ou},${under}`, attributes: { objectClass: 'organizationalUnit', ou } }
}

/** A policy that locks, without which slapd ignores that an account is locked. */
function lockingPolicy(): Entry {
  return {
    dn: `cn=default,ou=policies,${BASE}`,
    attributes: {
      objectClass: ['applicationProcess', 'pwdPolicy'],
      cn: 'default',
      pwdAttribute: 'userPassword',
      pwdLockout: 'TRUE',
    },
  }
}

// All zero: locked until an administrator unlocks it.
const LOCKED = '000001010000Z'

function serviceEntry(cn: string, dn: string): Entry {
  const objectClass = ['applicationProcess', 'simpleSecurityObject']
  const pwdAccountLockedTime = cn === 'locked' ? LOCKED : undefined
  return { dn, attributes: { objectClass, cn, userPassword: HASHED_PASSWORD, pwdAccountLockedTime } }
}

function personEntry(person: TestPerson, index: number, memberOf: string[] | undefined): Entry {
  return {
    dn: userDn(person.login),
    attributes: {
      objectClass: ['inetOrgPerson', 'posixAccount'],
      uid: person.login,
      cn: `${person.givenName} ${person.surname}`,
      givenName: person.givenName,
      sn: person.surname,
      mail: person.mail,
      uidNumber: String(10_000 + index),
      gidNumber: '10000',
      homeDirectory: `/home/${index}`,
      userPassword: HASHED_PASSWORD,
      jpegPhoto: person.photo,
      memberOf,
      pwdAccountLockedTime: person.locked ? LOCKED : undefined,
    },
  }
}

/** Two people with equal logins. */
function twins(): Entry[] {
  return [USERS, `ou=external,${USERS}`].map((under, index) => ({
    dn: `uid=twin,${under}`,
    attributes: {
      objectClass: 'inetOrgPerson',
      uid: 'twin',
      cn: `Twin ${index}`,
      sn: 'Twin',
      userPassword: HASHED_PASSWORD,
    },
  }))
}

function withoutLogin(): Entry {
  const attributes = { objectClass: 'inetOrgPerson', cn: 'Without Login', sn: 'Login', userPassword: HASHED_PASSWORD }
  return { dn: `cn=Without Login,${USERS}`, attributes }
}

function groupEntry({ name, people, groups }: TestGroup, memberOf: string[] | undefined): Entry {
  const member = [...people.map(userDn), ...groups.map(groupDn)]
  return { dn: groupDn(name), attributes: { objectClass: 'groupOfNames', cn: name, member, memberOf } }
}

/** Posix groups: one of everybody, the special groups under other names, one nested group, and the rest in groups of 25. */
function posixEntries(everybody: readonly TestPerson[]): Entry[] {
  const logins = everybody.map(({ login }) => login)
  const groups: [string, readonly string[]][] = [
    ['posix-everybody', logins],
    ['posix-developers', ['alice', 'bob']],
    ['Posix Mixed Case', ['alice', 'MixedCase']],
    ['posix-empty', []],
    ['posix-tree', ['carol']],
    ...Array.from({ length: 100 }, (_, index): [string, string[]] => [`posix-many-${index}`, ['many']]),
  ]
  for (let index = 0; groups.length < GROUP_COUNT / 2 - 1; index++) {
    groups.push([`posix-team-${String(index).padStart(3, '0')}`, logins.slice(25 + index * 25, 50 + index * 25)])
  }
  const branch = posixEntry('posix-branch', ['doe'], groups.length, `cn=posix-tree,${POSIX_GROUPS}`)
  return [...groups.map(([name, people], index) => posixEntry(name, people, index)), branch]
}

function posixEntry(cn: string, logins: readonly string[], index: number, under = POSIX_GROUPS): Entry {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: memberUid takes ASCII only
  const memberUid = logins.filter((login) => /^[\x00-\x7f]*$/.test(login))
  return {
    dn: `cn=${cn},${under}`,
    attributes: { objectClass: 'posixGroup', cn, gidNumber: String(20_000 + index), memberUid },
  }
}

function netgroupEntry({ name, triples, netgroups }: (typeof NETGROUPS)[number]): Entry {
  return {
    dn: `cn=${name},${NETGROUPS_BASE}`,
    attributes: { objectClass: 'nisNetgroup', cn: name, nisNetgroupTriple: triples, memberNisNetgroup: netgroups },
  }
}

function serviceDn(name: string): string {
  return `cn=${name},ou=services,${BASE}`
}
