import { loadSources, type Source } from '../areas/access/index.ts'
import { type Config, databaseConfigOf, type Settings } from '../config.ts'
import { connect } from '../database/connect.ts'
import type { PresentedCertificate } from '../directory/chain.ts'
import { diagnose, type Step, summarize, TITLES } from '../directory/diagnosis.ts'
import { openEncryptionToRead } from '../encryption-keys.ts'
import { createLogger } from '../log.ts'
import { reportFailure } from './failures.ts'
import { wrapText } from './wrapped.ts'

/** Tests a stored directory and prints each step as soon as it is done. Resolves with 0 when users can log in through it. */
export async function examineDirectory({ config }: Settings, name: string): Promise<number> {
  try {
    const source = await findSource(config, name)
    if (!source) return 1
    process.stdout.write(`Directory ${source.directory.name}, ${source.directory.host}\n\n`)
    const steps: Step[] = []
    for await (const step of diagnose(source.directory)) {
      steps.push(step)
      process.stdout.write(stepText(step))
    }
    const { success, message } = summarize(steps)
    process.stdout.write(`\n${wrapText(message, '')}\n`)
    return success ? 0 : 1
  } catch (error) {
    return reportFailure(error, config, 'PUT /api/auth_source_ldaps/<name>/test')
  }
}

/** Formats one step for people: how it went, how long it took, what was found and what to do. */
export function stepText({ name, status, milliseconds, message, advice, details }: Step): string {
  const mark = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ', skipped: '-      ' }[status]
  const lines = [
    `${mark}  ${TITLES[name].padEnd(18)} ${status === 'skipped' ? '' : `${milliseconds} ms`.padStart(9)}`.trimEnd(),
  ]
  if (status !== 'skipped') lines.push(wrapText(message, '         '))
  for (const line of formatCertificates(details.chain)) lines.push(wrapText(line, '           '))
  if (advice !== null) lines.push(wrapText(`What to do: ${advice}`, '         '))
  return `${lines.join('\n')}\n`
}

/** Formats the certificates that the server presented, one a line. */
function formatCertificates(chain: unknown): string[] {
  if (!Array.isArray(chain)) return []
  const certificates: readonly PresentedCertificate[] = chain // what every step puts under this name
  return certificates.map(
    ({ subject, issuer, valid_to }) =>
      `certificate ${subject}, issued by ${issuer}, valid until ${valid_to.slice(0, 10)}`,
  )
}

async function findSource(config: Config, name: string): Promise<Source | undefined> {
  await using database = await connect(databaseConfigOf(config), createLogger(config))
  const sources = await loadSources(database.db, await openEncryptionToRead(database.db, config))
  const found = sources.find(({ directory }) => directory.name === name || String(directory.id) === name)
  if (!found) {
    const names = sources.map(({ directory }) => directory.name)
    const known = names.length === 0 ? 'there is none yet' : `there are ${names.join(', ')}`
    process.stderr.write(`millwright: no directory is called ${name}; ${known}\n`)
  }
  return found
}
