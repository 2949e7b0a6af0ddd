import { afterAll, beforeEach, expect, test } from 'vitest'
import { type IdentityCache, openIdentityCache } from '../../src/areas/access/identity/cache.ts'
import { openTestDatabase } from '../support/database.ts'

const database = await openTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

let cache: IdentityCache
let time = 0
let runs = 0
beforeEach(async () => {
  time = 0
  runs = 0
  cache = await openIdentityCache(database, () => time)
})

const count = async () => {
  runs += 1
  return { value: runs, lifetimeMs: 60_000 }
}

test('an identity is cached until it expires, and for a minute at most', async () => {
  expect([await cache.remember('key', '', count), await cache.remember('key', '', count)]).toEqual([1, 1])
  time = 59_999
  expect(await cache.remember('key', '', count)).toBe(1)
  time = 60_000
  expect(await cache.remember('key', '', count)).toBe(2)
  const short = async () => ({ value: 'short', lifetimeMs: 10 })
  await cache.remember('short', '', short)
  time += 10
  expect(await cache.remember('short', '', async () => ({ value: 'new', lifetimeMs: 0 }))).toBe('new')
  const forever = async () => ({ value: 'forever', lifetimeMs: Number.POSITIVE_INFINITY })
  await cache.remember('forever', '', forever)
  time += 60_000
  expect(await cache.remember('forever', '', count)).toBe(3)
})

test('an identity that was looked up during a change is not cached', async () => {
  const overtaken = async () => {
    cache.clear()
    return { value: 'old', lifetimeMs: 60_000 }
  }
  expect(await cache.remember('key', '', overtaken)).toBe('old')
  expect(await cache.remember('key', '', count)).toBe(1)
})

test('callers at the same time share one run, unless identities changed between them', async () => {
  const [begun, change] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = async () => {
    begun.resolve()
    await change.promise
    return { value: 'old', lifetimeMs: 60_000 }
  }
  const [first, second] = [cache.remember('key', '', slow), cache.remember('key', '', count)]
  await begun.promise
  cache.clear()
  const third = cache.remember('key', '', count)
  change.resolve()
  expect(await Promise.all([first, second, third])).toEqual(['old', 'old', 1])
  expect(await cache.remember('key', '', count)).toBe(1)
})

test('a failure is told to all who wait for it, and not remembered', async () => {
  const fail = async () => {
    throw new Error('failed')
  }
  const waiting = [cache.remember('key', '', fail), cache.remember('key', '', count)]
  for (const one of waiting) await expect(one).rejects.toThrow('failed')
  expect(await cache.remember('key', '', count)).toBe(1)
})
