import { Client } from 'ldapts'
import { afterAll, describe, expect, test } from 'vitest'
import { type Directory, openDirectory } from '../../src/directory/directory.ts'
import type { DirectorySource } from '../../src/directory/source.ts'
import { randomFrom } from '../fuzz/random.ts'
import { ds389Groups, EVERYBODY } from '../support/directories/ds389-data.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { GROUPS, groupsOf, NETGROUPS, ODD_LOGINS, photoOf, type TestGroup } from '../support/directories/people.ts'
import { sambaGroups } from '../support/directories/samba-data.ts'
import { ACCOUNTS, MEMBER_GROUPS, userDn } from '../support/directories/slapd-data.ts'
import { seedOfRun } from '../support/seed.ts'
import { addNamesakes, type Way } from './namesakes.ts'
import { sourceOf } from './sources.ts'
import { testConnection } from './test-connection.ts'

const [slapd, ds389, samba] = await Promise.all([
  startDirectory('slapd'),
  startDirectory('ds389'),
  startDirectory('samba'),
])
const opened: Directory[] = []

afterAll(async () => {
  for (const directory of opened) await directory[Symbol.asyncDispose]()
  await Promise.all([slapd?.stop(), ds389?.stop(), samba?.stop()])
})

/** How many random sets of groups each kind of source is asked about. */
const ROUNDS = 3

/** Each server type with its directory and the groups of a person there. */
const TYPES: readonly {
  name: string
  server: TestDirectory | null
  overrides: (server: TestDirectory) => Partial<DirectorySource>
  groups: (login: string) => ReadonlySet<string>
}[] = [
  {
    name: 'posix',
    server: slapd,
    overrides: () => ({ groupsBase: MEMBER_GROUPS }),
    groups: (login) => nested(login, sambaGroups()),
  },
  {
    name: 'directory_c',
    server: slapd,
    overrides: () => ({ serverType: 'directory_c', groupsBase: MEMBER_GROUPS }),
    groups: (login) => nested(login, sambaGroups()),
  },
  {
    name: 'directory_a',
    server: ds389,
    overrides: (server) => ({ baseDn: server.baseDn }), // where each person exists twice
    groups: (login) => nested(login, ds389Groups()).add(EVERYBODY),
  },
  { name: 'directory_b', server: samba, overrides: () => ({}), groups: (login) => nested(login, sambaGroups()) },
]

for (const { name, server, overrides, groups } of TYPES) {
  describe.skipIf(!server).each(['tls', 'starttls'] as const)(`server type ${name} over %s`, (security) => {
    const open = (more: Partial<DirectorySource> = {}) => {
      if (!server) throw new Error('not started')
      const directory = openDirectory(sourceOf(server, { ...overrides(server), security, ...more }))
      opened.push(directory)
      return directory
    }
    const directory = server ? open() : (null as unknown as Directory) // skipped then
    const password = server?.password ?? ''

    test('a person logs in with the password of the entry, and with nothing else', async () => {
      expect(await directory.authenticate('alice', password)).toMatchObject({
        login: 'alice',
        firstname: 'Alice',
        lastname: 'Archer',
        mail: 'alice@example.test',
        photo: photoOf(),
      })
      const refused = ['', 'wrong', `${password}\0`, '\0', `\0${password}`, ' ', `${password} `]
      for (const wrong of refused) expect(await directory.authenticate('alice', wrong)).toBeNull()
      expect(await directory.authenticate('nobody-of-this-name', password)).toBeNull()
      expect(await directory.authenticate('locked', password)).toBeNull()
    })

    test('missing values and values that are not ASCII are read unchanged', async () => {
      expect(await directory.find('nomail')).toMatchObject({
        firstname: 'No',
        lastname: 'Mail',
        mail: null,
        photo: null,
      })
      expect(await directory.find('zoe')).toMatchObject({ firstname: 'Zoë', lastname: 'Ångström-日本' })
      expect((await directory.find('portrait'))?.photo?.length).toBe(90_000)
      expect(await directory.find('MIXEDcase')).toMatchObject({ login: 'MixedCase' })
    })

    test('disabled accounts are known as such, where the server type tells', async () => {
      const tells = name === 'directory_a' || name === 'directory_b'
      expect(await directory.find('locked')).toMatchObject({ disabled: tells })
      expect(await directory.find('alice')).toMatchObject({ disabled: false })
    })

    test('groups of a person, through other groups and around loops', async () => {
      for (const login of ['alice', 'bob', 'carol', 'nomail', 'zoe', 'many', 'deep', 'MixedCase']) {
        const person = await directory.find(login)
        if (!person) throw new Error(`${login} is missing`)
        expect(await directory.groupsOf(person), login).toEqual(groups(login))
        expect(await directory.groupsOf(person), `${login} from memory`).toEqual(groups(login))
      }
    })

    test('members of a group, through other groups and around loops', async () => {
      for (const { name: group } of [...GROUPS, { name: 'deep-20' }, { name: 'many-top-0' }]) {
        const expected = [...members(group)].map((login) => login.toLowerCase())
        expect(await directory.membersOf(group.toUpperCase()), group).toEqual(new Set(expected))
        expect(await directory.hasGroup(group)).toBe(true)
      }
    })

    test('an entry that is not a group has no members', async () => {
      for (const name of [
        'nothing',
        'Alice Archer',
        'alice',
        '*',
        'dev*',
        'developers)(cn=*',
        '',
        ' ',
        '\0',
        'people',
      ]) {
        expect(await directory.membersOf(name), name).toBeNull()
        expect(await directory.hasGroup(name), name).toBe(false)
      }
    })

    test('the connection test finds nothing wrong', async () => {
      if (!server) return
      const source = sourceOf(server, { ...overrides(server), security })
      const { success, message, steps } = await testConnection(source, { login: 'alice' })
      expect({ success, message }).toEqual({
        success: true,
        message: 'Test connection to LDAP server was successful.',
      })
      expect(steps.map(({ status }) => status)).toEqual(Array(9).fill('ok'))
      expect(steps.at(-1)?.details).toMatchObject({ login: 'alice', count: groups('alice').size })
    })

    test('the connection test notices a wrong server type', async () => {
      if (!server) return
      const serverType = name === 'directory_b' ? 'posix' : 'directory_b'
      const { steps } = await testConnection(sourceOf(server, { ...overrides(server), security, serverType }))
      expect(steps.map(({ code }) => code)).toContain('type_differs')
    })

    test("the source's filter applies to everybody", async () => {
      const some = open({ filter: ' ( | (mail=alice@*) (givenName=Bob) ) ' })
      expect(await some.authenticate('alice', password)).toMatchObject({ login: 'alice' })
      expect(await some.find('bob')).toMatchObject({ login: 'bob' })
      expect(await some.authenticate('carol', password)).toBeNull()
    })
  })
}

/** Each kind of source with each of its ways to list members. */
const LISTS: readonly {
  name: string
  server: TestDirectory | null
  ways: readonly Way[]
  isTree?: true
  isLooped?: false
  more?: Partial<DirectorySource>
}[] = [
  ...(['posix', 'directory_c'] as const).map((serverType) => ({
    name: `${serverType} by lists`,
    server: slapd,
    ways: ['member', 'uniqueMember', 'memberUid'] as const,
    isTree: true as const,
    more: { serverType },
  })),
  { name: 'posix by netgroups', server: slapd, ways: ['netgroup'], more: { useNetgroups: true } },
  // Around loops of several groups this server itself leaves some out of its memberOf.
  { name: 'directory_a', server: ds389, ways: ['member'], isLooped: false },
  { name: 'directory_b', server: samba, ways: ['member'] },
]

describe.each(LISTS)('$name, where groups are called as people are', (list) => {
  const { server, ways, isTree = false, isLooped = true, more = {} } = list
  test.skipIf(!server)(`a login and a refresh agree on who is in a group (TEST_SEED=${seedOfRun()})`, async () => {
    if (!server) return
    const random = randomFrom(seedOfRun())
    for (let round = 0; round < ROUNDS; round++) {
      await using added = await addNamesakes(server, { ways, isTree, isLooped, random })
      // The second base has groups below it, too.
      for (const baseDn of [server.usersBase, server.baseDn]) {
        const attributes = { ...sourceOf(server).attributes, login: 'cn' }
        await using directory = openDirectory(sourceOf(server, { baseDn, attributes, ...more }))
        for (const group of added.groups) {
          const right = added.people.filter((person) => added.isMember(person, group))
          expect([...((await directory.membersOf(group)) ?? [])].sort(), `members of ${group}`).toEqual(right)
        }
        for (const login of added.people) {
          const person = await directory.find(login)
          if (!person) throw new Error(`${login} is missing`)
          const right = added.groups.filter((group) => added.isMember(login, group))
          const found = await directory.groupsOf(person)
          expect(
            added.groups.filter((group) => found.has(group)),
            `groups of ${login}`,
          ).toEqual(right)
        }
        for (const group of ['outer-k', 'other-k', 'third-k']) expect(await directory.find(group), group).toBeNull()
      }
    }
  })
})

describe.skipIf(!slapd)('OpenLDAP', () => {
  const server = slapd as TestDirectory
  const open = (overrides: Partial<DirectorySource>) => {
    const directory = openDirectory(sourceOf(server, overrides))
    opened.push(directory)
    return directory
  }

  test('posix groups name logins, and count for the group they are filed below', async () => {
    const directory = open({})
    const doe = await directory.find('doe')
    if (!doe) throw new Error('doe is missing')
    expect([...(await directory.groupsOf(doe))]).toEqual(expect.arrayContaining(['posix-branch', 'posix-tree']))
    expect(await directory.membersOf('posix-tree')).toEqual(new Set(['carol', 'doe']))
    expect(await directory.membersOf('posix-empty')).toEqual(new Set())
    expect((await directory.membersOf('posix-everybody'))?.size).toBeGreaterThan(9_900)
  })

  test('odd logins log in with their own account and with the service account', async () => {
    const service = open({})
    const own = open({ account: `uid=$login,${server.usersBase}`, accountPassword: null })
    for (const login of ODD_LOGINS) {
      expect(await service.authenticate(login, server.password), login).toMatchObject({ login })
      expect(await own.authenticate(login, server.password), login).toMatchObject({ login })
      expect(await own.authenticate(login, 'wrong'), login).toBeNull()
    }
  })

  test('with own accounts nothing can be asked without a password', async () => {
    const own = open({ account: `uid=$login,${server.usersBase}`, accountPassword: null })
    await expect(own.find('alice')).rejects.toMatchObject({ code: 'account_needed' })
    await expect(own.membersOf('developers')).rejects.toMatchObject({ code: 'account_needed' })
    await expect(own.hasGroup('developers')).rejects.toMatchObject({ code: 'account_needed' })
  })

  test('two entries with one login are refused', async () => {
    await expect(open({}).authenticate('twin', server.password)).rejects.toMatchObject({ code: 'ambiguous' })
  })

  test('netgroups stand in for groups', async () => {
    const directory = open({ useNetgroups: true, groupsBase: server.netgroupsBase })
    for (const login of ['alice', 'carol', 'doe', 'zoe']) {
      const person = await directory.find(login)
      if (!person) throw new Error(`${login} is missing`)
      expect(await directory.groupsOf(person), login).toEqual(netgroupsOf(login))
    }
    expect(await directory.membersOf('NET-everybody')).toEqual(new Set(['alice', 'bob', 'carol', 'doe']))
    expect(await directory.membersOf('developers')).toBeNull()
  })

  test('changes in the directory count at the next question', async () => {
    await using administrator = new Client({ url: `ldap://${server.host}:${server.port}` })
    await administrator.bind(server.administrator.dn, server.administrator.password)
    const dn = `description=filed under something else,${MEMBER_GROUPS}`
    const people = { member: userDn('alice'), cn: ['Named Inside', 'second name'] }
    await administrator.add(dn, { objectClass: 'groupOfNames', ...people })
    const types = [open({}), open({ serverType: 'directory_c' }), open({ serverType: 'directory_a' })]
    const groups = async (directory: Directory) => {
      const alice = await directory.find('alice')
      return alice && [...(await directory.groupsOf(alice))]
    }
    for (const directory of types) {
      expect(await groups(directory)).toEqual(expect.arrayContaining(['named inside', 'second name', 'developers']))
      expect(await directory.membersOf('second NAME')).toEqual(new Set(['alice']))
    }
    await administrator.del(dn)
    for (const directory of types) {
      expect(await groups(directory)).not.toContain('named inside')
      expect(await directory.membersOf('named inside')).toBeNull()
    }
  })

  test('a person without groups has none, but groups that may not be seen are an error', async () => {
    const visible = open({ serverType: 'directory_a' })
    const portrait = await visible.find('portrait')
    if (!portrait) throw new Error('portrait is missing')
    expect(await visible.groupsOf(portrait)).toEqual(new Set())
    const hidden = open({ serverType: 'directory_a', baseDn: `ou=external,${server.usersBase}` })
    const twin = await hidden.find('twin')
    if (!twin) throw new Error('twin is missing')
    await expect(hidden.groupsOf(twin)).rejects.toMatchObject({ code: 'memberships_hidden' })
  })

  test('the trusted certificates may include several authorities, or be that of the server itself', async () => {
    const { ca, otherCa, certificates } = server
    for (const caCertificate of [`ours:\n${otherCa}\n\n${ca}`, certificates.server.cert]) {
      expect(await open({ caCertificate }).find('alice')).toMatchObject({ login: 'alice' })
    }
    for (const caCertificate of [otherCa, certificates.wrongName.cert]) {
      await expect(open({ caCertificate }).find('alice')).rejects.toMatchObject({ code: 'tls_untrusted' })
    }
  })

  test('a bind name that the library takes for a SASL mechanism is refused', async () => {
    await expect(open({ account: 'EXTERNAL' }).find('alice')).rejects.toMatchObject({ code: 'account_name' })
    await expect(open({ account: 'PLAIN' }).find('alice')).rejects.toMatchObject({ code: 'account_name' })
  })

  test('long lists of members that the server cuts off are an error, not a shorter list', async () => {
    const limited = open({ account: ACCOUNTS.limited, groupsBase: MEMBER_GROUPS })
    const many = await limited.find('many')
    if (!many) throw new Error('many is missing')
    await expect(limited.groupsOf(many)).rejects.toMatchObject({ code: 'size_limit' })
  })
})

describe.skipIf(!samba)('Samba', () => {
  test('the primary group counts, and referrals at the root are passed over', async () => {
    const server = samba as TestDirectory
    const directory = openDirectory(sourceOf(server, { baseDn: server.baseDn, groupsBase: '' }))
    opened.push(directory)
    const alice = await directory.authenticate('alice', server.password)
    if (!alice) throw new Error('alice is missing')
    expect([...(await directory.groupsOf(alice))]).toEqual(expect.arrayContaining(['company', 'domain users', 'users']))
    expect([...((await directory.membersOf('Domain Users')) ?? [])]).toEqual(expect.arrayContaining(['alice', 'zoe']))
    expect(await directory.find('nobody-of-this-name')).toBeNull()
  })

  test('accounts that may not log in are refused', async () => {
    const directory = openDirectory(sourceOf(samba as TestDirectory))
    opened.push(directory)
    for (const login of ['locked', 'expired', 'mustchange']) {
      expect(await directory.find(login), login).not.toBeNull()
      expect(await directory.authenticate(login, samba?.password ?? ''), login).toBeNull()
    }
  })

  test('people log in with their own account by name and realm', async () => {
    const server = samba as TestDirectory
    const directory = openDirectory(sourceOf(server, { account: '$login@ad.example.test', accountPassword: null }))
    opened.push(directory)
    expect(await directory.authenticate('alice', server.password)).toMatchObject({ login: 'alice' })
    expect(await directory.authenticate('alice', 'wrong')).toBeNull()
  })
})

function nested(login: string, groups: readonly TestGroup[]): Set<string> {
  return new Set([...groupsOf(login, groups)].map((name) => name.toLowerCase()))
}

function members(name: string): Set<string> {
  const people = new Set(sambaGroups().flatMap((group) => group.people))
  return new Set([...people].filter((login) => groupsOf(login, sambaGroups()).has(name)))
}

function netgroupsOf(login: string): Set<string> {
  const naming = NETGROUPS.filter(({ triples }) => triples.some((triple) => triple.split(',')[1] === login))
  const found = new Set(naming.map(({ name }) => name))
  for (const inner of found) for (const { name, netgroups } of NETGROUPS) if (netgroups.includes(inner)) found.add(name)
  return found
}
