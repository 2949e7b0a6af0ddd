import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { type Config, databaseConfigOf, type Settings } from '../config/config.ts'
import { Failure } from '../errors.ts'
import { localSocketOf, OPERATION_PATH } from '../http/listeners/local.ts'
import { createCommandLogger, createLogger } from '../log.ts'
import { type OperationName, type Performed, performOperation } from '../operator/operations.ts'
import { connect } from '../postgresql/connect.ts'
import { formatFailure } from './failures.ts'

/** Performs an operation with `performHereOrThere`. Resolves with 0, or with 1 after printing the reason. */
export async function operate(
  { config }: Settings,
  name: OperationName,
  input: object,
  take: (result: Performed) => Promise<void> | void,
): Promise<number> {
  try {
    await performHereOrThere(config, name, input, take)
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    return 1
  }
}

/**
 * Performs an operation and passes its result on. The service performs it when it holds the data directory, otherwise
 * this process does.
 */
export async function performHereOrThere(
  config: Config,
  name: OperationName,
  input: object,
  take: (result: Performed) => Promise<void> | void,
): Promise<void> {
  const socket = localSocketOf(config)
  const asked = socket === null ? null : await askService(socket, name, input)
  if (asked) return take(asked)
  requireDatabase(config)
  await using database = await connect(databaseConfigOf(config), createLogger(config))
  const log = createCommandLogger(config)
  await take(await performOperation({ database, config, log }, name, input))
}

/** {@throws Error} when the data directory has no database: opening it would make an empty one where a folder was mistyped */
export function requireDatabase(config: Config): void {
  if (!isDatabaseMissing(config)) return
  throw new Error(
    `there is no database in ${config.dataDir}: name the data directory of the service with --data-dir, or start the service once`,
  )
}

/** Whether there is no database where the configuration has it. What may not be looked at may be there. */
export function isDatabaseMissing({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== null || dataDir === 'memory') return false
  try {
    const names = ['postgresql', 'postgresql.upgraded'] // the second where an upgrade was interrupted
    return !names.some((name) => statSync(join(dataDir, name), { throwIfNoEntry: false }))
  } catch {
    return false
  }
}

/** Null when no service listens on the socket. {@throws Failure} with what the service says against it */
async function askService(socketPath: string, name: OperationName, input: object): Promise<Performed | null> {
  const sent = request({ socketPath, path: `${OPERATION_PATH}${name}`, method: 'POST' })
  sent.end(JSON.stringify(input))
  let response: IncomingMessage
  try {
    ;[response] = (await once(sent, 'response')) as [IncomingMessage] // the one argument of the event
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOBODY_THERE.has(String(error.code))) return null
    throw error
  }
  if (response.headers['content-type'] !== 'application/json') return response
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as { error?: { message: string } } // as `listenLocally` answers
  if (body.error) throw new Failure('unavailable', body.error.message)
  return body
}

const NOBODY_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED'])
