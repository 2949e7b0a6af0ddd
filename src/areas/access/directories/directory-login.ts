import type { Logger } from 'pino'
import type { Database } from '../../../database/database.ts'
import type { Directories } from '../../../directory/directories.ts'
import type { Person } from '../../../directory/directory.ts'
import { DirectoryError, formatSentence } from '../../../directory/errors.ts'
import { usesOwnAccount } from '../../../directory/source.ts'
import type { Encryption } from '../../../encryption/encryption.ts'
import type { IdentityCache } from '../identity/cache.ts'
import { createTurns, type TakeTurn } from '../identity/hash-queue.ts'
import type { LoginAttempt, LoginRefusal, Register, Verify } from './candidates.ts'
import { syncGroups } from './group-sync.ts'
import { refreshPerson, registerPerson } from './people.ts'
import { loadSources, type Source, toSource } from './sources.ts'

/** The dependencies of logins through directories. */
export interface DirectoryLoginOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly directories: Directories
  readonly log: Logger
  /** To load the actor in advance, and to forget users whom a login has changed. */
  readonly cache: Pick<IdentityCache, 'actor' | 'clear'>
}

/**
 * Creates the login through directories (core-api §6.1, §6.2). A known user is searched only in their own source; an
 * unknown one in all sources that register users, in order of their ids. A directory that fails causes a refusal that
 * does not name the source, because the client is unknown; the log does.
 */
export function createDirectoryLogin(options: DirectoryLoginOptions): { verify: Verify; register: Register } {
  const parts: Parts = { ...options, turns: new Map() }
  return {
    verify: (candidate, attempt) => verify(parts, candidate, attempt),
    register: (attempt) => register(parts, attempt),
  }
}

interface Parts extends DirectoryLoginOptions {
  /** By source id: clients of a source wait only for each other. */
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
    parts.cache.actor(id), // needed next, and loading the groups takes longer; a change of the user clears the cache
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
 * Asks a directory for the person with this password; null when it does not fit. Clients take turns; those locked out
 * while waiting are not served.
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
    return { details: formatSentence(err.code), guess: false }
  }
}

/**
 * Asks for a person's groups. Null when no group is linked or the directory fails: the login succeeds, and groups stay
 * as they are.
 */
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
