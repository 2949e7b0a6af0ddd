import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import type { Config, Settings } from '../config/config.ts'
import { SILENT } from '../config/log-levels.ts'
import type { Finding } from '../operator/finding.ts'
import type { OperationName } from '../operator/operations.ts'
import { formatFailure } from './failures.ts'
import { isDatabaseMissing, performHereOrThere } from './operate.ts'
import { wrapText } from './wrapped.ts'

/**
 * Examines the surroundings of the service, and prints the findings and what to do. Resolves with 1 when something failed.
 */
export async function examineService(settings: Settings): Promise<number> {
  const findings = [...(await examine(settings)), ...(await examineDirectories(settings.config))]
  const flags = listFlags(settings)
  for (const finding of findings) process.stdout.write(textOf(finding, flags))
  return findings.some(({ status }) => status === 'failed') ? 1 : 0
}

/** Examines the surroundings of the service and its database. The findings say nothing that is stored in records. */
export async function examine({ config, warnings }: Settings): Promise<Finding[]> {
  return [
    ...warnings.map((message): Finding => ({ about: 'Configuration', status: 'warning', message })),
    ...examineCertificates(config),
    ...examineDisk(config),
    ...(await examineDatabase(config)),
  ]
}

/** The flags of this command line, which a command that it prints takes, too, to find the same database. */
function listFlags({ given }: Settings): string[] {
  return [...given.values()].flatMap(({ place, text }) => (place.startsWith('--') ? [place, text] : []))
}

function textOf(finding: Finding, flags: readonly string[]): string {
  const { about, status, message, advice, commands = [], statements = [] } = finding
  const mark = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }[status]
  const lines = [`${mark}  ${about}`, wrapText(message, '         ')]
  if (advice) lines.push(wrapText(`What to do: ${advice}`, '         '))
  // A line each, however long, so that it can be copied.
  for (const words of commands)
    lines.push(`         Run: ${formatCommand(words, words[0] === 'millwright' ? flags : [])}`)
  for (const statement of statements) lines.push(`         Run in psql: ${statement}`)
  return `${lines.join('\n')}\n`
}

const DAY_MS = 24 * 60 * 60 * 1000
const SOON_DAYS = 14

function examineCertificates({ tlsCertificate, proxyCertificate }: Config): Finding[] {
  const files = [tlsCertificate, proxyCertificate].filter((file) => file !== null)
  return files.map((file): Finding => {
    const about = `Certificate ${file}`
    try {
      const days = (Date.parse(new X509Certificate(readFileSync(file)).validTo) - Date.now()) / DAY_MS
      const advice = 'Put a new one there, and send the service SIGHUP.'
      if (days < 0) return { about, status: 'failed', message: 'It is over.', advice }
      const message = `It ends in ${Math.floor(days)} days.`
      return days < SOON_DAYS ? { about, status: 'warning', message, advice } : { about, status: 'ok', message }
    } catch (error) {
      const message = `It cannot be read: ${error instanceof Error ? error.message : String(error)}`
      return { about, status: 'failed', message, advice: 'Name a file in PEM format that this user may read.' }
    }
  })
}

const LEAST_FREE_MIB = 1024

function examineDisk({ dataDir, databaseUrl }: Config): Finding[] {
  if (dataDir === 'memory') return []
  const about = 'Disk'
  if (!existsSync(dataDir)) {
    const message = `There is no directory ${dataDir}.`
    return [{ about, status: 'warning', message, advice: databaseUrl === null ? MISTYPED : NO_KEYS_DIRECTORY }]
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / 1024 / 1024)
  const finding = { about, message: `${free} MiB are free in ${dataDir}.` }
  if (free >= LEAST_FREE_MIB) return [{ ...finding, status: 'ok' }]
  return [{ ...finding, status: 'warning', advice: 'Make room: the database stops taking writes when there is none.' }]
}

const MISTYPED = 'Name the data directory of the service with --data-dir, or start the service once.'
const NO_KEYS_DIRECTORY =
  'The encryption keys are there where encryption-key-file names no other place: name the data directory of the service with --data-dir.'

async function examineDatabase(config: Config): Promise<Finding[]> {
  if (isDatabaseMissing(config)) {
    const message = `there is no database in ${config.dataDir}.`
    return [{ about: 'Database', status: 'failed', message, advice: MISTYPED }]
  }
  try {
    return await ask(config, 'examine')
  } catch (error) {
    const isRunning = error instanceof Error && error.message.includes(' is in use by ')
    return [
      {
        about: 'Database',
        status: isRunning ? 'warning' : 'failed',
        message: formatFailure(error, config),
        advice: isRunning ? 'It starts or stops: ask again.' : 'See docs/faults.md.',
      },
    ]
  }
}

/** None where the database or its encryption keys cannot be used: other findings say so. */
async function examineDirectories(config: Config): Promise<Finding[]> {
  return isDatabaseMissing(config) ? [] : ask(config, 'examine-directories').catch(() => [])
}

async function ask(config: Config, name: OperationName): Promise<Finding[]> {
  const found: Finding[] = []
  await performHereOrThere({ ...config, logLevels: SILENT }, name, {}, (findings) => {
    found.push(...(findings as Finding[])) // the result of these operations
  })
  return found
}

/** Formats a command for a shell, with `flags` before any word that looks like one. */
export function formatCommand(words: readonly string[], flags: readonly string[] = []): string {
  const first = words.findIndex((word) => word.startsWith('-'))
  const all = first < 0 ? [...words, ...flags] : [...words.slice(0, first), ...flags, '--', ...words.slice(first)]
  return all.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
