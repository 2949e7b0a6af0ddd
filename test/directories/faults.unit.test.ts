import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import { Client, Control } from 'ldapts'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { type Fault, type FaultName, startFault } from '../support/directories/faults.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'

let directory: TestDirectory | null = null

beforeAll(async () => {
  directory = await startDirectory('slapd')
})
afterAll(() => directory?.[Symbol.asyncDispose]())

/** The faults that a client meets which binds with the service account over plain LDAP and searches. */
const PLAIN: readonly (readonly [FaultName, object])[] = [
  ['refuses', { code: 'ECONNREFUSED' }],
  ['never accepts', { message: expect.stringMatching(/timed? ?out/i) }],
  ['black hole', { message: expect.stringContaining('timed out') }],
  ['closes at once', { message: expect.stringMatching(/closed|ECONNRESET/) }],
  ['closes on first word', { message: expect.stringMatching(/closed|ECONNRESET/) }],
  ['closes mid-answer', { message: expect.stringMatching(/closed|ECONNRESET/) }],
  ['sends garbage', { message: expect.any(String) }],
  ['speaks http', { message: expect.any(String) }],
  ['announces too much', { message: expect.any(String) }],
  ['drips', { message: expect.stringContaining('timed out') }],
  ['time limit', { code: 3 }],
  ['size limit', { code: 4 }],
  ['administrative limit', { code: 11 }],
  ['referral', { code: 10 }],
  ['no permission', { code: 50 }],
  ['busy', { code: 51 }],
  ['unavailable', { code: 52 }],
  ['announces its end', { message: expect.any(String) }],
  ['answers another question', { message: expect.any(String) }],
]

test.concurrent.for(PLAIN)('%s', async ([name, problem], context) => {
  await withFault(context, name, async (fault, { serviceAccount, usersBase }) => {
    const client = clientOf(`ldap://${fault.host}:${fault.port}`)
    const work = async () => {
      await client.bind(serviceAccount.dn, serviceAccount.password)
      return client.search(usersBase, { filter: '(uid=alice)' })
    }
    await expect(work()).rejects.toMatchObject(problem)
    await client.unbind().catch(() => {})
  })
})

const CERTIFICATES: readonly (readonly [FaultName, string])[] = [
  ['expired certificate', 'CERT_HAS_EXPIRED'],
  ['wrong name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['untrusted authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]

test.concurrent.for(CERTIFICATES)(
  '%s, over LDAPS and StartTLS; who does not mind reaches the directory',
  async ([name, code], context) => {
    await withFault(context, name, async (fault, { ca, serviceAccount }) => {
      const url = `${fault.host}:${fault.port}`
      const { dn, password } = serviceAccount
      await expect(clientOf(`ldaps://${url}`, { ca }).bind(dn, password)).rejects.toMatchObject({ code })
      await expect(clientOf(`ldap://${url}`).startTLS({ ca })).rejects.toMatchObject({ code })
      expect(fault.sent().includes(password)).toBe(false)

      const careless = clientOf(`ldaps://${url}`, { rejectUnauthorized: false })
      await careless.bind(dn, password)
      await careless.unbind()
      const carelessLater = clientOf(`ldap://${url}`)
      await carelessLater.startTLS({ rejectUnauthorized: false })
      await carelessLater.bind(dn, password)
      await carelessLater.unbind()
      expect(fault.sent().includes(password)).toBe(false)
    })
  },
)

const STARTTLS: readonly (readonly [FaultName, object])[] = [
  ['no StartTLS', { code: 2 }],
  ['breaks StartTLS', { message: expect.any(String) }],
  ['garbage after StartTLS', { message: expect.any(String) }],
]

test.concurrent.for(STARTTLS)('%s', async ([name, problem], context) => {
  await withFault(context, name, async (fault, { ca }) => {
    const client = clientOf(`ldap://${fault.host}:${fault.port}`)
    await expect(client.startTLS({ ca })).rejects.toMatchObject(problem)
  })
})

test('the recorder has what went over the line: a password without TLS, none with it', async (context) => {
  for (const [name, security] of [
    ['records plain', 'none'],
    ['records plain', 'starttls'],
    ['records tls', 'tls'],
  ] as const) {
    await withFault(context, name, async (fault, { ca, serviceAccount }) => {
      const address = `${fault.host}:${fault.port}`
      const client = security === 'tls' ? clientOf(`ldaps://${address}`, { ca }) : clientOf(`ldap://${address}`)
      if (security === 'starttls') await client.startTLS({ ca })
      await client.bind(serviceAccount.dn, serviceAccount.password)
      await client.unbind()
      expect(fault.sent().includes(serviceAccount.password)).toBe(security === 'none')
      expect(fault.connections()).toBe(1)
    })
  }
})

test('hangs in StartTLS, which the time limits of this library do not cover', async (context) => {
  await withFault(context, 'hangs in StartTLS', async (fault, { ca }) => {
    const upgrade = clientOf(`ldap://${fault.host}:${fault.port}`).startTLS({ ca })
    expect(await Promise.race([upgrade, wait(1500, 'still waiting')])).toBe('still waiting')
    fault.cut()
    await expect(upgrade).rejects.toThrow()
  })
})

test('the recorder cuts on command, and has what comes after', async (context) => {
  await withFault(context, 'records plain', async (fault, { serviceAccount }) => {
    const { dn, password } = serviceAccount
    const client = clientOf(`ldap://${fault.host}:${fault.port}`)
    await expect(client.bind(dn, 'wrong')).rejects.toMatchObject({ code: 49 })
    fault.cut()
    await expect.poll(() => client.isConnected).toBe(false)
    expect(fault.sent().includes(password)).toBe(false)
    const next = clientOf(`ldap://${fault.host}:${fault.port}`)
    await next.bind(dn, password)
    await next.unbind()
    expect(fault.sent().includes(password)).toBe(true)
    expect(fault.connections()).toBe(2)
  })
})

test('cuts after bytes', async (context) => {
  const first = directoryOrSkip(context)
  await using fault = await startFault('cuts after bytes', first, { bytes: 10 })
  const client = clientOf(`ldap://${fault.host}:${fault.port}`)
  await expect(client.bind(first.serviceAccount.dn, first.password)).rejects.toThrow(/closed|ECONNRESET/)
})

test('no paging: the control is unknown', async (context) => {
  await withFault(context, 'no paging', async (fault, { serviceAccount, usersBase }) => {
    const client = clientOf(`ldap://${fault.host}:${fault.port}`)
    await client.bind(serviceAccount.dn, serviceAccount.password)
    const critical = new Control('1.2.840.113556.1.4.319', { critical: true })
    await expect(client.search(usersBase, { filter: '(uid=alice)' }, critical)).rejects.toMatchObject({ code: 12 })
    const { searchEntries } = await client.search('', { scope: 'base', attributes: ['supportedControl'] })
    expect(searchEntries[0]?.supportedControl).not.toContain('1.2.840.113556.1.4.319')
    await client.unbind()
  })
})

test('endless answer', async (context) => {
  await withFault(context, 'endless answer', async (fault, { serviceAccount, usersBase }) => {
    const client = clientOf(`ldap://${fault.host}:${fault.port}`)
    await client.bind(serviceAccount.dn, serviceAccount.password)
    await expect(client.search(usersBase, { filter: '(uid=*)' })).rejects.toThrow('timed out')
    await client.unbind().catch(() => {})
  })
})

type Work = (fault: Fault, directory: TestDirectory) => Promise<void>

async function withFault(context: TestContext, name: FaultName, work: Work): Promise<void> {
  const target = directoryOrSkip(context)
  await using fault = await startFault(name, target)
  await work(fault, target)
}

function directoryOrSkip({ skip }: TestContext): TestDirectory {
  return directory ?? skip('slapd is not installed')
}

function clientOf(url: string, tlsOptions?: ConnectionOptions): Client {
  return new Client({ url, timeout: 1000, connectTimeout: 1000, tlsOptions })
}
