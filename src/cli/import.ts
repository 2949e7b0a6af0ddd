import { readFileSync, writeFileSync } from 'node:fs'
import type { CommandLine, Option } from '../config/arguments.ts'
import { ConfigError, type Settings } from '../config/config.ts'
import type { Imported } from '../switching/import.ts'
import type { ImportLine } from '../switching/operation.ts'
import { formatReport } from '../switching/report.ts'
import type { Progress } from '../switching/run.ts'
import type { Undone } from '../switching/undo.ts'
import { operate } from './operate.ts'

const CONNECTIONS = '2'

/** `millwright import`: takes the records of a running server, or removes them again. Resolves with the exit code. */
export async function importRecords(settings: Settings, line: CommandLine): Promise<number> {
  const asJson = line.switches.has('json')
  if (line.words[1] === 'undo') {
    const take = (said: ImportLine) => 'undone' in said && printUndone(said.undone, asJson)
    return perform(settings, 'undo-import', {}, take)
  }
  const order = readOrder(line)
  const take = (said: ImportLine) => 'imported' in said && printImported(said.imported, line)
  return perform(settings, 'import-server', order, take)
}

/** Performs the operation and passes on each line that it answers. Exit code 1 where one is an error. */
async function perform(
  settings: Settings,
  name: 'import-server' | 'undo-import',
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

/** {@throws ConfigError} naming the flag that is missing or wrong */
function readOrder({ words, switches, options }: CommandLine): object {
  const url = words[2] ?? ''
  if (!/^https?:\/\//.test(url))
    throw new ConfigError(['the address of the server must begin with https:// or http://'])
  const connections = Number(options.get('connections') ?? CONNECTIONS)
  if (!Number.isInteger(connections) || connections < 1 || connections > 8)
    throw new ConfigError(['--connections must be from 1 to 8'])
  return {
    url,
    authorization: readAuthorization(options),
    authority: readFile(options, 'ca-file'),
    connections,
    plan: switches.has('plan'),
    keepIds: switches.has('keep-ids'),
  }
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

function printUndone({ removed, kept }: Undone, asJson: boolean): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify({ removed, kept })}\n`)
  for (const { kind, record, reason, fix } of kept)
    process.stdout.write(`${kind.replaceAll('_', ' ')} ${record} stays: ${reason}. ${fix}\n`)
  process.stdout.write(`${removed} records removed, ${kept.length} left.\n`)
}
