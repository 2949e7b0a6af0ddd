import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOST_NAME } from '../support/directories/certificates.ts'
import { ds389Groups } from '../support/directories/ds389-data.ts'
import { answers } from '../support/directories/forward.ts'
import { type DirectoryKind, startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { GROUPS, groupsOf, ODD_LOGINS } from '../support/directories/people.ts'
import { ACCOUNTS, REFERRAL, userDn } from '../support/directories/slapd-data.ts'
import { spawn } from '../support/processes.ts'

const KINDS = ['slapd', 'ds389', 'samba'] as const
const running = new Map<DirectoryKind, TestDirectory>()

beforeAll(async () => {
  for (const directory of await Promise.all(KINDS.map((kind) => startDirectory(kind)))) {
    if (directory) running.set(directory.kind, directory)
  }
})
afterAll(() => Promise.all([...running.values()].map((each) => each[Symbol.asyncDispose]())))

describe.each(KINDS)('%s', (kind) => {
  test('takes the service account over LDAPS and StartTLS, under each of its names', async ({ skip }) => {
    const directory = running.get(kind) ?? skip(`${kind} is not installed`)
    for (const servername of [undefined, 'localhost', HOST_NAME]) {
      await closing(await boundOverTls(directory, { servername }))
      await closing(await boundOverStartTls(directory, { servername }))
    }
  })

  test('is refused by who trusts another authority or looks for another name', async ({ skip }) => {
    const directory = running.get(kind) ?? skip(`${kind} is not installed`)
    const stranger = { ca: directory.otherCa }
    const code = expect.stringMatching(/^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/)
    await expect(boundOverTls(directory, stranger)).rejects.toMatchObject({ code })
    await expect(boundOverStartTls(directory, stranger)).rejects.toMatchObject({ code })
    const elsewhere = { servername: 'elsewhere.example.test' }
    await expect(boundOverTls(directory, elsewhere)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  test('finds a person and the groups', async ({ skip }) => {
    const directory = running.get(kind) ?? skip(`${kind} is not installed`)
    const alice = await find(directory, 'alice')
    expect(alice).toMatchObject({ givenName: 'Alice', sn: 'Archer', mail: 'alice@example.test' })
    expect(Buffer.isBuffer([alice?.jpegPhoto].flat()[0])).toBe(true)
    const above = kind === 'ds389' ? groupsOf('alice', ds389Groups()) : groupsOf('alice', GROUPS, { nested: false })
    const names = [alice?.memberOf ?? []].flat().map((dn) => /^cn=([^,]+)/i.exec(String(dn))?.[1])
    expect(new Set(names)).toEqual(above)
    expect(await find(directory, 'zoe')).toMatchObject({ givenName: 'Zoë', sn: 'Ångström-日本' })
    expect(await find(directory, 'nomail')).not.toHaveProperty('mail', expect.stringContaining('@'))
  })

  test('lets a person in, but not with a wrong password and not the locked one', async ({ skip }) => {
    const directory = running.get(kind) ?? skip(`${kind} is not installed`)
    const dnOf = async (login: string) => (await find(directory, login))?.dn ?? ''
    await closing(await boundOverTls(directory, { dn: await dnOf('bob') }))
    await expect(boundOverTls(directory, { dn: await dnOf('bob'), password: 'wrong' })).rejects.toMatchObject({
      code: 49,
    })
    const code = kind === 'ds389' ? 53 : 49
    await expect(boundOverTls(directory, { dn: await dnOf('locked') })).rejects.toMatchObject({ code })
  })

  test('refuses while it is stopped and comes back at the same place', async ({ skip }) => {
    const directory = running.get(kind) ?? skip(`${kind} is not installed`)
    await directory.stop()
    expect(await answers(directory)).toBe(false)
    await directory.start()
    expect(await find(directory, 'alice')).toBeDefined()
  })
})

describe('slapd in particular', () => {
  test('has 10,000 users and 1,000 groups, 100 of them around one user', async ({ skip }) => {
    const directory = running.get('slapd') ?? skip('slapd is not installed')
    const client = await boundOverTls(directory)
    const count = async (filter: string) => {
      const options = { filter, attributes: ['1.1'], paged: { pageSize: 500 } }
      return (await client.search(directory.baseDn, options)).searchEntries.length
    }
    expect(await count('(objectClass=posixAccount)')).toBe(10_000)
    expect(await count('(|(objectClass=groupOfNames)(objectClass=posixGroup))')).toBe(1000)
    expect(await count('(|(cn=many-leaf-*)(cn=many-branch-*)(cn=many-top-*))')).toBe(100)
    expect(await count('(&(objectClass=posixGroup)(memberUid=many))')).toBe(101)
    expect(await count('(uid=twin)')).toBe(2)
    await closing(client)
  })

  test('lets in those whose logins have to be escaped', async ({ skip }) => {
    const directory = running.get('slapd') ?? skip('slapd is not installed')
    for (const login of ODD_LOGINS) await closing(await boundOverTls(directory, { dn: userDn(login) }))
  })

  test('treats each service account in its own way', async ({ skip }) => {
    const directory = running.get('slapd') ?? skip('slapd is not installed')
    const searchAs = async (dn: string, base = directory.usersBase) => {
      const client = await boundOverTls(directory, { dn })
      try {
        return await client.search(base, { filter: '(uid=user000*)', paged: { pageSize: 10 } })
      } finally {
        await closing(client)
      }
    }
    expect((await searchAs(ACCOUNTS.service)).searchEntries).toHaveLength(99)
    await expect(searchAs(ACCOUNTS.blind)).rejects.toMatchObject({ code: 32 })
    await expect(searchAs(ACCOUNTS.limited)).rejects.toMatchObject({ code: 4 })
    await expect(searchAs(ACCOUNTS.unpaged)).rejects.toMatchObject({ code: 11 })
    await expect(searchAs(ACCOUNTS.locked)).rejects.toMatchObject({ code: 49 })
    await expect(searchAs(ACCOUNTS.service, `ou=x,${REFERRAL}`)).rejects.toMatchObject({ code: 10 })
    expect((await searchAs(ACCOUNTS.service, directory.baseDn)).searchReferences).toHaveLength(1)
  })

  test('keeps still while it is frozen', async ({ skip }) => {
    const directory = running.get('slapd') ?? skip('slapd is not installed')
    await directory.freeze()
    const client = new Client({ url: `ldap://127.0.0.1:${directory.port}`, timeout: 100 })
    await expect(client.bind(ACCOUNTS.service, directory.password)).rejects.toThrow('timed out')
    directory.thaw()
    expect(await find(directory, 'alice')).toBeDefined()
  })

  test('takes options: certificate, anonymous readers, secure binds only, a huge photo', async ({ skip }) => {
    await using expired = (await startDirectory('slapd', { certificate: 'expired' })) ?? skip('slapd is not installed')
    const code = 'CERT_HAS_EXPIRED'
    await expect(boundOverTls(expired)).rejects.toMatchObject({ code })
    await expect(boundOverStartTls(expired)).rejects.toMatchObject({ code })

    const options = { anonymous: 'reads', onlySecureBinds: true, hugePhoto: true } as const
    await using open = (await startDirectory('slapd', options)) ?? skip('slapd is not installed')
    const client = new Client({ url: `ldap://127.0.0.1:${open.port}` })
    const { searchEntries } = await client.search(open.usersBase, { filter: '(uid=hugephoto)' })
    expect(Buffer.from(String(searchEntries[0]?.uid)).toString()).toBe('hugephoto')
    expect([searchEntries[0]?.jpegPhoto].flat()[0]).toHaveLength(20_000_000)
    await expect(client.bind(ACCOUNTS.service, open.password)).rejects.toMatchObject({ code: 13 })
    await closing(client)
  })

  test('ends with the process that started it, however that ends', async ({ skip }) => {
    if (!running.has('slapd')) skip('slapd is not installed')
    const module = join(import.meta.dirname, '../support/directories/index.ts')
    const script = `
      const { startDirectory } = await import(${JSON.stringify(module)})
      console.log((await startDirectory('slapd')).port)
      await new Promise((resolve) => setTimeout(resolve, 60_000))`
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const [printed] = await once(child.stdout ?? child, 'data')
    const port = Number(printed)
    expect(await answers({ host: '127.0.0.1', port })).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => answers({ host: '127.0.0.1', port }), { timeout: 10_000 }).toBe(false)
  })
})

interface Login {
  readonly dn?: string
  readonly password?: string
  readonly ca?: string
  readonly servername?: string
}

async function boundOverTls(directory: TestDirectory, { ca = directory.ca, servername, ...who }: Login = {}) {
  const { host, tlsPort } = directory
  const client = new Client({ url: `ldaps://${host}:${tlsPort}`, tlsOptions: { ca, servername }, timeout: 10_000 })
  return bind(client, directory, who)
}

async function boundOverStartTls(directory: TestDirectory, { ca = directory.ca, servername, ...who }: Login = {}) {
  const client = new Client({ url: `ldap://${directory.host}:${directory.port}`, timeout: 10_000 })
  await client.startTLS({ ca, servername })
  return bind(client, directory, who)
}

async function bind(client: Client, { serviceAccount }: TestDirectory, who: Pick<Login, 'dn' | 'password'>) {
  await client.bind(who.dn ?? serviceAccount.dn, who.password ?? serviceAccount.password)
  return client
}

async function find(directory: TestDirectory, login: string) {
  const client = await boundOverTls(directory)
  const options = { filter: `(${directory.loginAttribute}=${login})`, attributes: ['*', 'memberOf'] }
  const { searchEntries } = await client.search(directory.usersBase, options)
  await closing(client)
  return searchEntries[0]
}

async function closing(client: Client): Promise<void> {
  await client.unbind()
}
