import { accessSync, constants } from 'node:fs'
import type { Logger } from 'pino'
import { type Config, readProcessSettings, type Settings } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { type Service, startService } from '../service/service.ts'
import { formatFailure } from './failures.ts'

/**
 * Runs the service until SIGTERM or SIGINT, finishes the requests in flight and resolves with the exit code. Text for people
 * goes to standard output, the log to standard error. A stop that takes longer than the shutdown timeout, a second signal,
 * and an uncaught error end the process with 1.
 */
export async function serve({ config, warnings }: Settings): Promise<number> {
  const log = createLogger(config)
  for (const warning of warnings) log.warn({ warning }, 'configuration warning')
  for (const program of config.runCommands.filter(cannotBeRun))
    log.warn({ program }, 'a program of run-commands cannot be run')
  exitOnUncaughtError(log)
  const stop = stopOnSignal(config.shutdownTimeoutMs, log)
  try {
    await serveUntil(stop, config, log)
  } catch (error) {
    if (stop.received() && error instanceof Error && error.name === 'AbortError') return 0
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    log.debug({ err: error }, 'service failed')
    return 1
  }
  log.info('stopped')
  return 0
}

function cannotBeRun(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return false
  } catch {
    return true
  }
}

async function serveUntil(stop: StopSignal, config: Config, log: Logger): Promise<void> {
  await using service = await startService(config, log, stop.signal)
  if (service.ignoresPassword)
    log.warn({ login: config.adminLogin }, 'the configured administrator password is ignored: the account has another')
  process.on('SIGHUP', () => void reload(service, log))
  log.info({ address: service.address }, 'ready')
  if (!stop.received()) process.stdout.write(formatWelcome(service, config))
  await stop.promise
}

/** Reads the certificates and log levels again; where something is wrong the old ones stay in use. */
async function reload(service: Service, log: Logger): Promise<void> {
  try {
    const { config } = readProcessSettings(process.argv.slice(2))
    await service.reload(config.logLevels)
    log.info('certificates and log levels read anew')
  } catch (err) {
    log.error({ err }, 'not read anew, everything stays as it was')
  }
}

interface StopSignal {
  readonly promise: Promise<void>
  readonly signal: AbortSignal
  received(): boolean
}

/**
 * One key press can arrive as several signals: from the terminal, from npm and from the start script. Only a signal that
 * comes later than this counts as a second one.
 */
const SAME_PRESS_MS = 300

function stopOnSignal(timeoutMs: number, log: Logger): StopSignal {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let receivedAt: number | null = null

  function onSignal(signal: NodeJS.Signals): void {
    if (receivedAt === null) {
      receivedAt = performance.now()
      log.info({ signal }, 'stopping')
      setTimeout(giveUp, timeoutMs).unref()
      resolve()
      stopping.abort()
    } else if (performance.now() - receivedAt > SAME_PRESS_MS) {
      log.warn({ signal }, 'stopped at once by a second signal')
      process.exit(1)
    }
  }
  function giveUp(): void {
    log.error({ timeoutMs }, 'stopped with requests unfinished after the shutdown timeout')
    process.exit(1)
  }

  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return { promise, signal: stopping.signal, received: () => receivedAt !== null }
}

/** The state of the process is unknown after such an error, so it ends; a supervisor starts another one. */
function exitOnUncaughtError(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error')
    process.exit(1)
  })
}

/** Formats the greeting for people once the service answers: its address, who may log in, and a first request to try. */
export function formatWelcome(
  { address, vendorAddress, firstStart, ignoresPassword }: Omit<Service, typeof Symbol.asyncDispose>,
  config: Config,
): string {
  const login = firstStart?.login ?? config.adminLogin
  const password = firstStart?.password ?? null
  const credentials = quoteShellWord(password === null ? login : `${login}:${password}`)
  const facts = [
    ['Address', `${address}   (open it in a browser)`],
    ...(vendorAddress === null ? [] : [['Vendor', `${vendorAddress}   (for existing clients)`]]),
    ['Login', login],
    ...(firstStart
      ? [['Password', password === null ? 'the one you configured' : `${password}   (shown only this once)`]]
      : []),
    ...(ignoresPassword ? [['Password', IGNORED]] : []),
    ['Database', describeDatabase(config)],
  ]
  return [
    'Millwright is ready.',
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`),
    '',
    password === null ? 'Try it (curl prompts for the password):' : 'Try it:',
    `  curl -u ${credentials} ${toReachable(address)}/api/architectures`,
    '',
    '',
  ].join('\n')
}

const IGNORED = `unchanged; MILLWRIGHT_ADMIN_PASSWORD has no effect (to change it: millwright reset-password)`

function describeDatabase({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return 'PostgreSQL'
  return dataDir === 'memory'
    ? 'PostgreSQL, bundled, in a temporary folder: all data is lost at the end'
    : `PostgreSQL, bundled, in ${dataDir}`
}

/** Yields an address to connect to: `0.0.0.0` and `::` can only be listened on. */
function toReachable(address: string): string {
  return address.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
}

function quoteShellWord(word: string): string {
  return /^[\w.:@%+=,/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
