import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { SILENT } from '../config/log-levels.ts'
import type { Config, Settings } from '../config.ts'
import type { Finding } from '../operator/examination.ts'
import { formatFailure } from './failures.ts'
import { performHereOrThere } from './operate.ts'
import { wrapText } from './wrapped.ts'

/**
 * Examines the surroundings of the service, and prints the findings and what to do. Resolves with 1 when something failed.
 */
export async function examineService(settings: Settings): Promise<number> {
  const findings = await examine(settings)
  for (const finding of findings) process.stdout.write(textOf(finding))
  return findings.some(({ status }) => status === 'failed') ? 1 : 0
}

/** Examines the surroundings of the service and its database. */
export async function examine({ config, warnings }: Settings): Promise<Finding[]> {
  return [
    ...warnings.map((message): Finding => ({ about: 'Configuration', status: 'warning', message })),
    ...examineCertificates(config),
    ...examineDisk(config),
    ...(await examineDatabase(config)),
  ]
}

function textOf({ about, status, message, advice }: Finding): string {
  const mark = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }[status]
  const lines = [`${mark}  ${about}`, wrapText(message, '         ')]
  return `${[...lines, ...(advice ? [wrapText(`What to do: ${advice}`, '         ')] : [])].join('\n')}\n`
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

function examineDisk({ dataDir }: Config): Finding[] {
  if (dataDir === 'memory') return []
  const place = existsSync(dataDir) ? dataDir : dirname(dataDir)
  if (!existsSync(place)) return []
  const { bavail, bsize } = statfsSync(place)
  const free = Math.floor((bavail * bsize) / 1024 / 1024)
  const finding = { about: 'Disk', message: `${free} MiB are free in ${dataDir}.` }
  if (free >= LEAST_FREE_MIB) return [{ ...finding, status: 'ok' }]
  return [{ ...finding, status: 'warning', advice: 'Make room: a backup of an embedded database needs as much again.' }]
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    const found: Finding[] = []
    await performHereOrThere({ ...config, logLevels: SILENT }, 'examine', {}, (findings) => {
      found.push(...(findings as Finding[])) // the result of this operation
    })
    return found
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
