import type { Logger } from 'pino'
import type { Database } from '../../../database/connect.ts'
import type { Directories } from '../../../directory/directories.ts'
import type { Person } from '../../../directory/directory.ts'
import { DirectoryError, sentence } from '../../../directory/errors.ts'
import { usesOwnAccount } from '../../../directory/source.ts'
import type { Encryption } from '../../../encryption.ts'
import type { IdentityCache } from './cache.ts'
import type { LoginAttempt, LoginRefusal, Register, Verify } from './candidates.ts'
import { syncGroups } from './group-sync.ts'
import { refreshPerson, registerPerson } from './people.ts'
import { loadSources, type Source, toSource } from './sources.ts'
import { createTurns, type TakeTurn } from './turns.ts'

export interface DirectoryLoginOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly directories: Directories
  readonly log: Logger
  /** Forgets what a login has changed. */
  readonly cache: Pick<IdentityCache, 'actor' | 'clear'>
}

/**
 * Login through directories (core-api §6.1, §6.2). A known user is looked for in the own source alone; somebody unknown in
 * all that may register users, in the order of their ids. A directory that cannot tell makes a refusal that says so, and
 * that names no source: nobody has logged in yet. The log does.
 */
export function createDirectoryLogin(options: DirectoryLoginOptions): { verify: Verify; register: Register } {
  const parts: Parts = { ...options, turns: new Map() }
  return {
    verify: (candidate, attempt) => verify(parts, candidate, attempt),
    register: (attempt) => register(parts, attempt),
  }
}

interface Parts extends DirectoryLoginOptions {
  /** By source: its own clients wait for each other, and for nobody else. */
  readonly turns: Map<number, TakeTurn>
}

const TURNS_AT_A_DIRECTORY = 8

async function verify(
  parts: Parts,
  { id, login, directory, profile }: Parameters<Verify>[0],
  attempt: LoginAttempt,
): Promise<boolean | LoginRefusal> {
  if (!directory) return false
  const source = toSource(parts.encryption, directory)
  const person = await ask(parts, source, { ...attempt, login })
  if (person === null || 'details' in person) return person ?? false
  const refreshed = source.ontheflyRegister ? 'profile' : 'photo'
  const [changed, groups] = await Promise.all([
    refreshPerson(parts.database.db, id, person, refreshed, attempt.client, profile),
    groupsOf(parts, source, person),
    parts.cache.actor(id), // needed next, and the groups take longer; what changes it makes the cache forget it
  ])
  if (changed) parts.cache.clear()
  await followGroups(parts, source, groups, id, attempt)
  return true
}

async function register(parts: Parts, attempt: LoginAttempt): Promise<number | LoginRefusal | null> {
  const sources = await loadSources(parts.database.db, parts.encryption)
  let refusal: LoginRefusal | null = null
  let denied = false
  for (const source of sources.filter(({ registersUnknown: takesUnknown }) => takesUnknown)) {
    const person = await ask(parts, source, attempt)
    if (person === null) {
      denied = true
      continue
    }
    const registered = 'details' in person ? person : await registerFrom(parts, source, person, attempt)
    if (typeof registered === 'number') return registered
    refusal ??= registered
  }
  return refusal && { ...refusal, guess: denied }
}

async function registerFrom(
  parts: Parts,
  source: Source,
  person: Person,
  attempt: LoginAttempt,
): Promise<number | LoginRefusal> {
  const { id: sourceId } = source.directory
  const userId = await registerPerson(parts.database.db, sourceId, person, attempt.client)
  if (typeof userId === 'string') {
    parts.log.warn({ source: sourceId, reason: userId }, 'user of a directory refused')
    return { details: userId, guess: false }
  }
  await followGroups(parts, source, await groupsOf(parts, source, person), userId, attempt)
  return userId
}

/**
 * The person, when the password is theirs; null when it is not. Clients take turns, and who was locked out while waiting
 * is not served.
 */
async function ask(
  { directories, turns, log }: Parts,
  { directory }: Source,
  attempt: LoginAttempt,
): Promise<Person | LoginRefusal | null> {
  const takeTurn = turns.get(directory.id) ?? createTurns(TURNS_AT_A_DIRECTORY)
  turns.set(directory.id, takeTurn)
  try {
    return await takeTurn(attempt.client, async () => {
      await attempt.stillAllowed()
      return directories.of(directory).authenticate(attempt.login, attempt.password)
    })
  } catch (err) {
    if (!(err instanceof DirectoryError)) throw err
    log.warn({ err, source: directory.id }, 'directory login failed')
    return { details: sentence(err.code), guess: false }
  }
}

/** Null when nobody wants to know, or the directory does not tell: who may come in comes in, and the groups stay as they were. */
async function groupsOf(
  { directories, log }: Parts,
  { directory, usergroupSync, hasLinkedGroups }: Source,
  person: Person,
): Promise<ReadonlySet<string> | null> {
  if (!usergroupSync || !hasLinkedGroups || usesOwnAccount(directory)) return null
  try {
    return await directories.of(directory).groupsOf(person)
  } catch (err) {
    if (!(err instanceof DirectoryError)) throw err
    log.warn({ err, source: directory.id, login: person.login }, 'groups of a user could not be read')
    return null
  }
}

async function followGroups(
  { database, cache }: Parts,
  { directory }: Source,
  groups: ReadonlySet<string> | null,
  userId: number,
  { client }: LoginAttempt,
): Promise<void> {
  if (!groups) return
  const membership = { userId, sourceId: directory.id, groups, compare: 'any_case', address: client } as const
  if (await syncGroups(database.db, membership)) cache.clear()
}
