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
  type TestGroup,
  type TestPerson,
} from './people.ts'

// The layout of an identity management system: accounts, and before them a copy of each person for older clients.
export const BASE = 'dc=example,dc=test'
export const USERS = `cn=users,cn=accounts,${BASE}`
export const GROUPS_BASE = `cn=groups,cn=accounts,${BASE}`
export const COMPAT = `cn=compat,${BASE}`
export const NETGROUPS_BASE = `cn=ng,${COMPAT}`
export const SERVICE = `uid=service,cn=sysaccounts,cn=etc,${BASE}`

/** The group of everybody, which the system maintains itself. */
export const EVERYBODY = 'everybody'

const USER_COUNT = 200

export const userDn = (login: string) => `uid=${escapeDn(login)},${USERS}`
export const groupDn = (name: string) => `cn=${escapeDn(name)},${GROUPS_BASE}`

/** The groups of the directory; nested ones come first. */
export function ds389Groups(): TestGroup[] {
  return [
    ...GROUPS,
    ...deepGroups(),
    ...manyGroups(),
    { name: EVERYBODY, people: everybody().map(({ login }) => login), groups: [] },
  ]
}

/** 200 users and all their groups, without the nesting of groups: the server keeps memberOf only for existing members. */
export function ds389Entries(): Entry[] {
  return [
    {
      dn: BASE,
      attributes: {
        objectClass: ['top', 'domain'],
        dc: 'example',
        aci: '(targetattr != "userPassword")(version 3.0; acl "authenticated read"; allow (read, search, compare) userdn = "ldap:///all";)',
      },
    },
    ...['accounts', 'etc', 'compat'].map((name) => container(name, BASE)),
    ...['users', 'groups'].map((name) => container(name, `cn=accounts,${BASE}`)),
    ...['users', 'groups', 'ng'].map((name) => container(name, COMPAT)),
    container('sysaccounts', `cn=etc,${BASE}`),
    {
      dn: SERVICE,
      attributes: {
        objectClass: ['top', 'account', 'simpleSecurityObject'],
        uid: 'service',
        userPassword: HASHED_PASSWORD,
      },
    },
    ...everybody().map(compatEntry),
    ...everybody().map(personEntry),
    ...ds389Groups().map(groupEntry),
    ...NETGROUPS.map(({ name, triples, netgroups }) => ({
      dn: `cn=${name},${NETGROUPS_BASE}`,
      attributes: {
        objectClass: ['top', 'nisNetgroup'],
        cn: name,
        nisNetgroupTriple: triples,
        memberNisNetgroup: netgroups,
      },
    })),
  ]
}

function everybody(): TestPerson[] {
  // The server accepts ASCII only.
  const special = [...PEOPLE, ...oddPeople((login) => login !== 'Üml.äut')]
  return [...special, ...crowd(USER_COUNT - special.length)]
}

function container(cn: string, under: string): Entry {
  return { dn: `cn=${cn},${under}`, attributes: { objectClass: ['top', 'nsContainer'], cn } }
}

function compatEntry(person: TestPerson, index: number): Entry {
  return {
    dn: `uid=${escapeDn(person.login)},cn=users,${COMPAT}`,
    attributes: { objectClass: ['top', 'account', 'posixAccount'], ...posix(person, index) },
  }
}

function personEntry(person: TestPerson, index: number): Entry {
  return {
    dn: userDn(person.login),
    attributes: {
      objectClass: ['top', 'person', 'organizationalPerson', 'inetOrgPerson', 'inetUser', 'posixAccount'],
      ...posix(person, index),
      givenName: person.givenName,
      sn: person.surname,
      mail: person.mail,
      jpegPhoto: person.photo,
      userPassword: HASHED_PASSWORD,
      nsAccountLock: person.locked ? 'TRUE' : undefined,
    },
  }
}

function posix({ login, givenName, surname }: TestPerson, index: number): Entry['attributes'] {
  const number = String(10_000 + index)
  return {
    uid: login,
    cn: `${givenName} ${surname}`,
    uidNumber: number,
    gidNumber: number,
    homeDirectory: `/home/${index}`,
  }
}

function groupEntry({ name, people }: TestGroup, index: number): Entry {
  return {
    dn: groupDn(name),
    attributes: {
      objectClass: ['top', 'groupOfNames', 'nestedGroup', 'posixGroup'],
      cn: name,
      gidNumber: String(20_000 + index),
      member: people.map(userDn),
    },
  }
}
