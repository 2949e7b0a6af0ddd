import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDirectories } from '../../src/directory/directories.ts'
import { openDirectory } from '../../src/directory/directory.ts'
import type { DirectorySource } from '../../src/directory/source.ts'
import { startFault } from '../support/directories/faults.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { sourceOf } from './sources.ts'
import { testConnection } from './test-connection.ts'

const server = await startDirectory('slapd')
const directory = server as TestDirectory
const plain = (overrides: Partial<DirectorySource> = {}) => sourceOf(directory, { security: 'none', ...overrides })
let now = 0

beforeEach(() => {
  now = 1_000_000
})
afterAll(() => server?.stop())

describe.skipIf(!server)('several servers', () => {
  test('a server that does not work is passed over, and tried last from then on', async () => {
    await using hole = await startFault('black hole', directory)
    await using dead = await startFault('refuses', directory)
    const host = `127.0.0.1:${dead.port} 127.0.0.1:${hole.port}, localhost:${directory.port}`
    await using opened = openDirectory(plain({ host }), { deadlineMs: 2_000 })
    expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
    expect(hole.connections()).toBe(1)
    expect(await opened.authenticate('bob', directory.password)).toMatchObject({ login: 'bob' })
    expect(hole.connections()).toBe(1)
  })

  test('a wrong password is not tried on every server', async () => {
    await using first = await startFault('records plain', directory)
    await using second = await startFault('records plain', directory)
    const host = `127.0.0.1:${first.port}, 127.0.0.1:${second.port}`
    await using opened = openDirectory(plain({ host, accountPassword: 'wrong' }))
    await expect(opened.find('alice')).rejects.toMatchObject({ code: 'account_refused' })
    expect([first.connections(), second.connections()]).toEqual([1, 0])
  })

  test('the connection test tells of those that fail while others work', async () => {
    await using dead = await startFault('refuses', directory)
    const host = `127.0.0.1:${dead.port}, 127.0.0.1:${directory.port}`
    const { success, steps } = await testConnection(plain({ host }))
    expect(success).toBe(true)
    expect(steps.find(({ name }) => name === 'connect')).toMatchObject({ status: 'warning', code: 'refused' })
  })
})

describe.skipIf(!server)('a directory that is away', () => {
  test('connections that died meanwhile are replaced', async () => {
    await using line = await startFault('records plain', directory)
    await using opened = openDirectory(plain({ port: line.port }))
    for (let round = 0; round < 3; round++) {
      expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
      line.cut()
    }
  })

  test('a directory that hangs is named within the deadline, and serves again when it wakes up', async () => {
    await using opened = openDirectory(plain(), { deadlineMs: 500, now: () => now })
    expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
    await directory.freeze()
    try {
      await expect(opened.authenticate('alice', directory.password)).rejects.toMatchObject({ code: 'timeout' })
    } finally {
      directory.thaw()
    }
    now += 5_001
    expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
  })

  test('after a failure all others fail at once, until one of them has tried again', async () => {
    await using hole = await startFault('black hole', directory)
    await using opened = openDirectory(plain({ port: hole.port }), { deadlineMs: 1_000, now: () => now })
    await expect(opened.find('alice')).rejects.toMatchObject({ code: 'timeout' })
    const tried = hole.connections()
    await expect(opened.find('bob')).rejects.toMatchObject({ code: 'timeout' })
    expect(hole.connections()).toBe(tried)

    now += 5_001
    let probing = true
    const probe = opened
      .find('carol')
      .catch((error: unknown) => error)
      .finally(() => {
        probing = false
      })
    await expect(opened.find('bob')).rejects.toMatchObject({ code: 'timeout' })
    expect(probing).toBe(true)
    expect(await probe).toMatchObject({ code: 'timeout' })
    expect(hole.connections()).toBeGreaterThan(tried)
  })

  test('200 logins at once that get no answer end within the deadline and hold nobody else up', async () => {
    await using hole = await startFault('black hole', directory)
    await using silent = openDirectory(plain({ port: hole.port }), { deadlineMs: 4_000, poolSize: 4 })
    await using other = openDirectory(plain())
    await other.authenticate('alice', directory.password)
    let ended = 0
    const attempts = Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        silent.authenticate(`user${index}`, 'any').finally(() => {
          ended++
        }),
      ),
    )
    for (let round = 0; round < 50; round++) await other.authenticate('alice', directory.password)
    expect(ended).toBe(0)
    const outcomes = await attempts
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(hole.connections()).toBeLessThanOrEqual(8)
  })

  test('200 logins at once are all answered over a few connections', async () => {
    await using line = await startFault('records plain', directory)
    await using opened = openDirectory(plain({ port: line.port }), { poolSize: 3 })
    const attempts = Array.from({ length: 200 }, (_, index) =>
      opened.authenticate(index % 2 ? 'alice' : 'bob', index % 3 ? directory.password : 'wrong'),
    )
    const people = await Promise.all(attempts)
    expect(people.map((person) => person?.login ?? null)).toEqual(
      people.map((_, index) => (index % 3 ? (index % 2 ? 'alice' : 'bob') : null)),
    )
    expect(line.connections()).toBeLessThanOrEqual(6)
  })

  test('a service account that is refused is not tried again at once, lest it be locked', async () => {
    await using line = await startFault('records plain', directory)
    const source = plain({ port: line.port, accountPassword: 'wrong' })
    await using opened = openDirectory(source, { now: () => now })
    for (let round = 0; round < 5; round++) {
      await expect(opened.find('alice')).rejects.toMatchObject({ code: 'account_refused' })
    }
    expect(line.connections()).toBe(1)
    now += 30_001
    await expect(opened.find('alice')).rejects.toMatchObject({ code: 'account_refused' })
    expect(line.connections()).toBe(2)
  })

  test('wrong passwords of people stop nobody', async () => {
    await using opened = openDirectory(plain({ account: `uid=$login,${directory.usersBase}` }), { now: () => now })
    for (let round = 0; round < 5; round++) expect(await opened.authenticate('alice', 'wrong')).toBeNull()
    expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
  })

  test('a failure that concerns one login only does not stop the others', async () => {
    await using opened = openDirectory(plain(), { now: () => now })
    await expect(opened.find('twin')).rejects.toMatchObject({ code: 'ambiguous' })
    expect(await opened.find('alice')).toMatchObject({ login: 'alice' })
  })
})

describe.skipIf(!server)('the directories of a process', () => {
  test('a source keeps its directory until its settings change', async () => {
    await using directories = openDirectories({ now: () => now })
    const first = directories.of(plain())
    expect(directories.of(plain())).toBe(first)
    const changed = directories.of(plain({ filter: '(uid=alice)' }))
    expect(changed).not.toBe(first)
    expect(await changed.find('alice')).not.toBeNull()
    await expect(first.find('alice')).rejects.toMatchObject({ code: 'shut' })
    directories.forget(1)
    await expect(changed.find('alice')).rejects.toMatchObject({ code: 'shut' })
  })

  test('closing does not wait longer than the deadline for calls under way', async () => {
    await using hole = await startFault('black hole', directory)
    const opened = openDirectory(plain({ port: hole.port }), { deadlineMs: 300 })
    const asked = opened.membersOf('developers').catch((error: unknown) => error)
    const start = performance.now()
    await opened[Symbol.asyncDispose]()
    expect(performance.now() - start).toBeLessThan(5_000) // otherwise it would wait for ever
    expect(await asked).toMatchObject({ name: 'DirectoryError' })
  })

  test('calls under way end well when the settings change', async () => {
    await using directories = openDirectories()
    const attempts = Array.from({ length: 20 }, () => directories.of(plain()).authenticate('alice', directory.password))
    directories.of(plain({ filter: '(uid=*)' }))
    expect((await Promise.all(attempts)).map((person) => person?.login)).toEqual(attempts.map(() => 'alice'))
  })

  test('a directory that nobody uses is closed', async () => {
    await using directories = openDirectories({ now: () => now })
    const idle = directories.of(plain())
    now += 11 * 60_000
    directories.of(plain({ id: 2 }))
    await expect(idle.find('alice')).rejects.toMatchObject({ code: 'shut' })
  })
})
