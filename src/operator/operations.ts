import { z } from 'zod'
import { createAdministrator, formatOwner, resetPassword, resetSecondFactor } from '../areas/access/index.ts'
import { Failure } from '../errors.ts'
import { type Keys, writeBackup } from './backup/backup.ts'
import { examineDirectories, writeDiagnosis } from './directories.ts'
import { examineDatabase } from './examination.ts'
import { describeDatabase } from './support.ts'
import type { Workplace } from './workplace.ts'

/** The result of an operation: an object to be sent as JSON, or a stream of bytes. */
export type Performed = object | AsyncIterable<Uint8Array>

/** The account that gets a password; null generates one. */
const ACCOUNT = z.strictObject({ login: z.string(), password: z.string().nullable() })

/**
 * Operations that only the owner of the data may perform, by name. Each belongs to a command, which asks the service that
 * holds the data directory, or performs it itself.
 */
const OPERATIONS = {
  'reset-password': (at, input) => resetPassword(at.database.db, readRecovery(at, input)),
  'create-admin': (at, input) => createAdministrator(at.database.db, readRecovery(at, input)),
  'reset-second-factor': (at, input) => resetSecondFactor(at.database.db, readRecovery(at, input)),
  backup: async (at, input) => writeBackup(at, keysOf(input)),
  examine: examineDatabase,
  'examine-directories': examineDirectories,
  'diagnose-directory': async (at, input) => writeDiagnosis(at, readName(input)),
  'describe-database': async (at) => describeDatabase(at),
  'import-server': async (at, input) => (await import('../switching/operation.ts')).performImport(at, input),
  'import-listed': async (at, input) => (await import('../switching/operation.ts')).performListed(at, input),
  'import-secrets': async (at, input) => (await import('../switching/operation.ts')).performSecrets(at, input),
  'import-authority': async (at, input) => (await import('../switching/operation.ts')).performAuthority(at, input),
  'list-missing': async (at) => (await import('../switching/operation.ts')).performMissing(at),
  'undo-import': async (at) => (await import('../switching/operation.ts')).performUndo(at),
  'load-sample': async (at) => (await import('../switching/operation.ts')).performSample(at),
  'remove-sample': async (at) => (await import('../switching/operation.ts')).performSampleRemoval(at),
} satisfies Record<string, (at: Workplace, input: unknown) => Promise<Performed>>

/** The name of an operation. */
export type OperationName = keyof typeof OPERATIONS

/** Performs the operation of this name. {@throws Failure} 'unroutable' for an unknown one, and what the operation throws */
export async function performOperation(at: Workplace, name: string, input: unknown): Promise<Performed> {
  if (!isOperation(name)) throw new Failure('unroutable', `There is no operation ${name}`)
  at.log.info({ operation: name }, 'operation asked for by the owner of the data')
  return OPERATIONS[name](at, input)
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

function keysOf(input: unknown): Keys {
  const read = z.strictObject({ passphrase: z.string().nullable() }).safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send a passphrase, or null')
  return read.data.passphrase === null ? 'left out' : { passphrase: read.data.passphrase }
}

function readName(input: unknown): string {
  const read = z.strictObject({ name: z.string() }).safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send the name of a directory')
  return read.data.name
}

function readRecovery({ config: { passwordMemoryMiB } }: Workplace, input: unknown) {
  const read = ACCOUNT.safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send a login, and a password or null')
  return {
    ...read.data,
    passwordMemoryMiB,
    by: { userId: null, userName: formatOwner(), address: null, requestId: null },
  }
}
