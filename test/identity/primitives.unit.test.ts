import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { networkOf, normalizeAddress } from '../../src/areas/access/identity/addresses.ts'
import { createTurns } from '../../src/areas/access/identity/hash-queue.ts'
import { readAuthorization } from '../../src/areas/access/identity/login.ts'
import { createPasswordChecks } from '../../src/areas/access/identity/password-checks.ts'
import { hashPassword, verifyPassword } from '../../src/areas/access/identity/passwords.ts'
import { SEEDED_ROLES, selectSeededPermissions } from '../../src/areas/access/identity/roles.ts'
import { generateToken, isTokenLike } from '../../src/areas/access/identity/tokens.ts'

describe('a password', () => {
  test('fits its hash, composed or decomposed, and nothing else does', async () => {
    const stored = await hashPassword('Gr\u00fcn')
    expect(await verifyPassword(stored, 'Gru\u0308n')).toBe('right')
    expect(await verifyPassword(stored, 'Grun')).toBe('wrong')
    expect(await verifyPassword(null, 'Gr\u00fcn')).toBe('wrong')
  })

  test('hashed with other parameters is to be hashed anew', async () => {
    const weak = await hash('secret', { memoryCost: 1024, timeCost: 1 })
    expect(await verifyPassword(weak, 'secret')).toBe('right_but_weakly_hashed')
    expect(await verifyPassword(weak, 'Secret')).toBe('wrong')
  })

  test('takes as long for nobody as for somebody', async () => {
    const stored = await hashPassword('secret')
    const somebody = await duration(() => verifyPassword(stored, 'wrong'))
    const nobody = await duration(() => verifyPassword(null, 'wrong'))
    // Without computing a hash the ratio would be a thousandth.
    expect(nobody / somebody).toBeGreaterThan(0.2)
  })

  test('that matched a hash is not hashed again, a wrong one is', async () => {
    const check = createPasswordChecks(undefined, 1)
    const stored = await hashPassword('secret')
    let computed = 0
    const stillAllowed = async () => {
      computed += 1
    }
    const attempt = { client: 'a', stillAllowed }
    const same = () => check(stored, 'secret', attempt)
    expect(await Promise.all([same(), same(), same()])).toEqual(['right', 'right', 'right'])
    expect(computed).toBe(1)
    expect([await check(stored, 'wrong', attempt), await check(stored, 'wrong', attempt)]).toEqual(['wrong', 'wrong'])
    expect(computed).toBe(3)
  })
})

describe('turns', () => {
  test('let one client delay itself and not the others', async () => {
    const takeTurn = createTurns(1)
    const done: string[] = []
    const work = (client: string, name: string) => takeTurn(client, async () => void done.push(name))
    const flood = [1, 2, 3, 4].map((n) => work('flood', `flood ${n}`))
    await Promise.all([...flood, work('other', 'other'), work('third', 'third')])
    expect(done).toEqual(['flood 1', 'flood 2', 'other', 'third', 'flood 3', 'flood 4'])
  })

  test('never run more than there are slots, go on after failures, and refuse an endless queue', async () => {
    const takeTurn = createTurns(2)
    let running = 0
    let most = 0
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      throw new Error('failed')
    }
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => takeTurn('one', work)))
    const messages = results.map((result) => (result.status === 'rejected' ? result.reason.message : 'done'))
    expect(most).toBe(2)
    expect(messages.filter((message) => message === 'failed')).toHaveLength(202)
    expect(messages.filter((message) => /^Too many logins/.test(message))).toHaveLength(98)
    expect(await takeTurn('one', async () => 'well')).toBe('well')
  })
})

describe('a token', () => {
  test('is recognized by its form, and a typo is seen', () => {
    const { value } = generateToken()
    expect(value).toMatch(/^mw_/)
    expect(isTokenLike(value)).toBe(true)
    const typo = value.slice(0, 10) + (value[10] === 'A' ? 'B' : 'A') + value.slice(11)
    expect([typo, value.slice(0, -1), `${value}A`, '', 'secret'].map(isTokenLike)).toEqual(Array(5).fill(false))
    expect(generateToken().value).not.toBe(value)
  })
})

describe('the header Authorization', () => {
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  test.each([
    [encoded('ada:se:cret'), { kind: 'basic', login: 'ada', password: 'se:cret' }],
    [encoded('ada'), { kind: 'basic', login: 'ada', password: '' }],
    [encoded('zoë:пароль'), { kind: 'basic', login: 'zoë', password: 'пароль' }],
    [`bASIC  ${encoded('a:b').slice(6)}`, { kind: 'basic', login: 'a', password: 'b' }],
    ['Bearer mw_x', { kind: 'bearer', token: 'mw_x' }],
    ['Digest username="a"', null],
    ['Basic', null],
    ['', null],
    [undefined, null],
  ])('%j is %j', (header, expected) => {
    expect(readAuthorization(header)).toEqual(expected)
  })
})

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', '0.0.0.0'],
    ['192.0.2.1:80', '0.0.0.0'],
    [null, '0.0.0.0'],
  ])('%j counts as %j', (address, expected) => {
    expect(normalizeAddress(address)).toBe(expected)
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8::9', '2001:db8::'],
    ['::1', '::'],
    [null, '0.0.0.0'],
  ])('%s is counted as %s', (address, expected) => {
    expect(networkOf(address)).toBe(expected)
  })
})

describe('seeded roles', () => {
  const named = (name: string) => SEEDED_ROLES.find((role) => role.name === name) ?? expect.fail(name)
  const catalogue = ['view_hosts', 'review_hosts', 'view_settings', 'create_roles'].map((name) => ({
    name,
    resourceType: null,
  }))

  test('match whole names of permissions', () => {
    const names = (role: string) => selectSeededPermissions(named(role), catalogue).map(({ name }) => name)
    expect(names('Viewer')).toEqual(['view_hosts'])
    expect(names('Edit hosts')).toEqual(['view_hosts', 'review_hosts'])
    expect(names('Manager')).toEqual(['view_hosts', 'review_hosts', 'view_settings'])
  })
})

/** Measures the best of several runs, which other work on the machine affects least. */
async function duration(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 4; run += 1) {
    const start = performance.now()
    await work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
