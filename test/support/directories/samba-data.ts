import { type Entry, escapeDn } from './entries.ts'
import {
  crowd,
  deepGroups,
  GROUPS,
  manyGroups,
  NETGROUPS,
  oddPeople,
  PASSWORD,
  PEOPLE,
  type TestGroup,
  type TestPerson,
} from './people.ts'

export const REALM = 'ad.example.test'
export const BASE = 'DC=ad,DC=example,DC=test'
export const USERS = `OU=People,${BASE}`
export const GROUPS_BASE = `OU=Teams,${BASE}`
export const NETGROUPS_BASE = `OU=Netgroups,${BASE}`
export const SERVICE = `CN=service,${USERS}`
/** An expired account; another one, `locked`, is disabled. */
export const EXPIRED = 'expired'
export const MUST_CHANGE = 'mustchange'

const USER_COUNT = 60

// userAccountControl
const NORMAL = 0x200
const DISABLED = 0x2
const PASSWORD_NEVER_EXPIRES = 0x10000

const UNIVERSAL_SECURITY_GROUP = '-2147483640'

/** Yields the DN of a person, whose name differs from the login. */
export const userDn = ({ givenName, surname }: TestPerson) => `CN=${escapeDn(`${givenName} ${surname}`)},${USERS}`
export const groupDn = (name: string) => `CN=${escapeDn(name)},${GROUPS_BASE}`

/** The groups of the directory; nested ones come first. */
export function sambaGroups(): TestGroup[] {
  return [...GROUPS, ...deepGroups(), ...manyGroups()]
}

/** 60 users and all their groups, without the nesting of groups. */
export function sambaEntries(): Entry[] {
  const people = everybody()
  const dns = new Map(people.map((person) => [person.login, userDn(person)]))
  return [
    ...[USERS, GROUPS_BASE, NETGROUPS_BASE].map((dn) => ({ dn, attributes: { objectClass: 'organizationalUnit' } })),
    {
      dn: SERVICE,
      attributes: { objectClass: 'user', sAMAccountName: 'service', ...account('service', PASSWORD_NEVER_EXPIRES) },
    },
    ...people.map(personEntry),
    ...sambaGroups().map(({ name, people: members }) => ({
      dn: groupDn(name),
      attributes: {
        objectClass: 'group',
        sAMAccountName: `team-${name.replace(/[^\w -]/g, '_')}`, // may differ from the name
        groupType: UNIVERSAL_SECURITY_GROUP,
        member: members.map((login) => dns.get(login) ?? ''),
      },
    })),
    ...NETGROUPS.map(({ name, triples, netgroups }) => ({
      dn: `CN=${name},${NETGROUPS_BASE}`,
      attributes: { objectClass: 'nisNetgroup', nisNetgroupTriple: triples, memberNisNetgroup: netgroups },
    })),
  ]
}

function everybody(): TestPerson[] {
  const special = [
    ...PEOPLE,
    ...oddPeople((login) => !/["/\\[\]:;|=,+*?<>@]/.test(login)), // other logins are refused
    { login: EXPIRED, givenName: 'Ex', surname: 'Pired' },
    { login: MUST_CHANGE, givenName: 'Must', surname: 'Change' },
  ]
  return [...special, ...crowd(USER_COUNT - special.length)]
}

function personEntry(person: TestPerson): Entry {
  const { login, givenName, surname, mail, photo, locked } = person
  const control = login === MUST_CHANGE ? 0 : locked ? PASSWORD_NEVER_EXPIRES | DISABLED : PASSWORD_NEVER_EXPIRES
  return {
    dn: userDn(person),
    attributes: {
      objectClass: 'user',
      sAMAccountName: login,
      displayName: `${givenName} ${surname}`,
      givenName,
      sn: surname,
      mail,
      jpegPhoto: photo,
      thumbnailPhoto: photo,
      ...account(login, control),
      accountExpires: login === EXPIRED ? '132000000000000000' : undefined, // in 2019
      pwdLastSet: login === MUST_CHANGE ? '0' : undefined,
    },
  }
}

/** Yields the attributes of an account, which has its password at once and is therefore enabled. */
function account(login: string, control: number): Entry['attributes'] {
  return {
    userPrincipalName: /^\w+$/.test(login) ? `${login}@${REALM}` : undefined,
    unicodePwd: Buffer.from(`"${PASSWORD}"`, 'utf16le'),
    userAccountControl: String(NORMAL | control),
  }
}
