import { readFileSync, statSync, writeFileSync } from 'node:fs'
import type { CommandLine, Option } from '../config/arguments.ts'
import { ConfigError, type Settings } from '../config/config.ts'
import { readClassifier } from '../switching/classifier.ts'
import { readHiera } from '../switching/hiera/read-folder.ts'
import type { Imported } from '../switching/import.ts'
import type { Listed } from '../switching/listed-records.ts'
import type { ImportLine } from '../switching/operation.ts'
import { formatReport, type MissingSecret } from '../switching/report.ts'
import type { Progress } from '../switching/run.ts'
import type { Sampled } from '../switching/sample/sample.ts'
import type { Undone } from '../switching/undo.ts'
import { operate } from './operate.ts'

const CONNECTIONS = '2'
const TIMEOUT = '120'

/**
 * `millwright import` takes the records of a running server, `millwright sample` loads sample data; both remove them
 * again. Resolves with the exit code.
 */
export async function importRecords(settings: Settings, line: CommandLine): Promise<number> {
  const asJson = line.switches.has('json')
  const takeUndone = (said: ImportLine) => 'undone' in said && printUndone(said.undone, asJson)
  if (line.words[1] === 'undo') return perform(settings, 'undo-import', {}, takeUndone)
  if (line.words[1] === 'missing')
    return operate(settings, 'list-missing', {}, (result) => printMissing(result as readonly MissingSecret[], asJson)) // what the operation yields
  if (line.words[1] === 'remove') return perform(settings, 'remove-sample', {}, takeUndone)
  if (line.words[1] === 'authority') return importAuthority(settings, line.words[2] ?? '', asJson)
  if (line.words[0] === 'sample')
    return perform(settings, 'load-sample', {}, (said) => 'sampled' in said && printSampled(said.sampled, asJson))
  const take = (said: ImportLine) => 'imported' in said && printImported(said.imported, line)
  const [, address = '', path = ''] = line.words
  if (address === 'pe-classifier' || address === 'hiera') {
    const environment = line.options.get('environment') ?? null
    const listed = readListed(path, () => (address === 'hiera' ? readHiera(path, environment) : readGroups(path)))
    return perform(settings, 'import-listed', { address, plan: line.switches.has('plan'), listed }, take)
  }
  const order = readOrder(line)
  return perform(settings, 'import-server', order, take)
}

/** Has certificates of hosts that come from another server accepted, by the authority (PEM) that signed them. */
function importAuthority(settings: Settings, path: string, asJson: boolean): Promise<number> {
  let pem: string
  try {
    pem = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([`${path}: ${error instanceof Error ? error.message : String(error)}`])
  }
  return operate(settings, 'import-authority', { pem }, (result) => {
    const { stored } = result as { readonly stored: readonly string[] } // what the operation yields
    if (asJson) return void process.stdout.write(`${JSON.stringify({ stored })}\n`)
    for (const subject of stored) process.stdout.write(`Accepted for hosts that come from there: ${subject}\n`)
    process.stdout.write('Listeners with TLS ask for these certificates after SIGHUP, or after a restart.\n')
  })
}

/** Performs the operation and passes on each line that it answers. Exit code 1 where one is an error. */
async function perform(
  settings: Settings,
  name: 'import-server' | 'import-listed' | 'undo-import' | 'load-sample' | 'remove-sample',
  input: object,
  take: (line: ImportLine) => unknown,
): Promise<number> {
  let failed = false
  const showProgress = createProgress()
  const code = await operate(settings, name, input, async (result) => {
    for await (const said of readLines(result as AsyncIterable<Uint8Array>)) {
      if ('progress' in said) showProgress(said.progress)
      else if ('error' in said) {
        failed = true
        process.stderr.write(`millwright: ${said.error}\n`)
      } else take(said)
    }
  })
  return failed ? 1 : code
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ImportLine> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ImportLine // the operation writes no others
  }
}

const MOST_MEBIBYTES = 64

/** Reads a file or folder. {@throws ConfigError} naming it and its fault */
function readListed(path: string, read: () => Listed): Listed {
  try {
    return read()
  } catch (error) {
    throw new ConfigError([`${path}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function readGroups(path: string): Listed {
  if (statSync(path).size > MOST_MEBIBYTES * 2 ** 20) throw new Error(`the file is larger than ${MOST_MEBIBYTES} MiB`)
  return readClassifier(readFileSync(path, 'utf8'))
}

/** {@throws ConfigError} naming the flag that is missing or wrong */
function readOrder({ words, switches, options }: CommandLine): object {
  const url = words[2] ?? ''
  if (!/^https?:\/\//.test(url))
    throw new ConfigError(['the address of the server must begin with https:// or http://'])
  const connections = readInteger(options, 'connections', CONNECTIONS, 8)
  const timeout = readInteger(options, 'timeout', TIMEOUT, 3600)
  return {
    url,
    authorization: readAuthorization(options),
    authority: readFile(options, 'ca-file'),
    connections,
    timeout,
    plan: switches.has('plan'),
    keepIds: switches.has('keep-ids'),
  }
}

function readInteger(options: CommandLine['options'], option: Option, otherwise: string, most: number): number {
  const value = Number(options.get(option) ?? otherwise)
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ConfigError([`--${option} must be from 1 to ${most}`])
  return value
}

function readAuthorization(options: CommandLine['options']): string {
  const login = options.get('user')
  const secret = (readFile(options, 'password-file') ?? readFile(options, 'token-file'))?.replace(/\r?\n$/, '')
  if (login === undefined || !secret)
    throw new ConfigError(['import server needs --user LOGIN, and --password-file FILE or --token-file FILE'])
  return `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`
}

function readFile(options: CommandLine['options'], option: Option): string | null {
  const path = options.get(option)
  if (path === undefined) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([`--${option}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

/** Shows one line of progress on a terminal, with an estimate by the kinds that are done. */
function createProgress(): (progress: Progress) => void {
  const started = performance.now()
  return ({ kind, done, kinds, records }) => {
    if (!process.stderr.isTTY) return
    const left = done > 0 ? ((performance.now() - started) / done) * (kinds - done) : 0
    const minutes = left > 0 ? `, about ${Math.ceil(left / 60_000)} min left` : ''
    process.stderr.write(`\r\u001b[K${kind.replaceAll('_', ' ')}: ${records} (${done} of ${kinds} kinds${minutes})`)
  }
}

function printImported({ report, secrets }: Imported, { switches, options }: CommandLine): void {
  const path = options.get('secrets-file')
  if (path !== undefined) writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  if (process.stderr.isTTY) process.stderr.write('\n')
  process.stdout.write(
    switches.has('json') ? `${JSON.stringify(report)}\n` : formatReport(report, switches.has('plan')),
  )
  if (switches.has('json') || secrets.length === 0) return
  const where = path === undefined ? 'name a file with --secrets-file to list them' : `${path} lists them`
  process.stdout.write(`${secrets.length} secrets are not shown by the old server: ${where}.\n`)
}

function printMissing(missing: readonly MissingSecret[], asJson: boolean): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify(missing)}\n`)
  for (const { kind, record, key } of missing) process.stdout.write(`${kind.replaceAll('_', ' ')} ${record}: ${key}\n`)
  process.stdout.write(`${missing.length} missing.\n`)
}

function printSampled({ created, left }: Sampled, asJson: boolean): void {
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (asJson) return void process.stdout.write(`${JSON.stringify({ created, left })}\n`)
  process.stdout.write(`${created} records created, ${left} were here already.\n`)
  process.stdout.write('Open the console to see them. millwright sample remove removes them.\n')
}

function printUndone({ removed, kept }: Undone, asJson: boolean): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify({ removed, kept })}\n`)
  for (const { kind, record, reason, fix } of kept)
    process.stdout.write(`${kind.replaceAll('_', ' ')} ${record} stays: ${reason}. ${fix}\n`)
  process.stdout.write(`${removed} records removed, ${kept.length} left.\n`)
}
