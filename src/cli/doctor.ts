import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Settings } from '../config/config.ts'
import type { PresentedCertificate } from '../directory/chain.ts'
import { type Step, summarize, TITLES } from '../directory/diagnosis.ts'
import type { Diagnosed } from '../operator/directories.ts'
import type { Performed } from '../operator/operations.ts'
import { operate } from './operate.ts'
import { wrapText } from './wrapped.ts'

/**
 * Tests a stored directory, also beside a running service, and prints each step as soon as it is done. Resolves with 0 when
 * users can log in through it.
 */
export async function examineDirectory(settings: Settings, name: string): Promise<number> {
  let success = false
  const failed = await operate(settings, 'diagnose-directory', { name }, async (lines) => {
    success = await printDiagnosis(lines, name)
  })
  return failed === 0 && success ? 0 : 1
}

async function printDiagnosis(performed: Performed, wanted: string): Promise<boolean> {
  const steps: Step[] = []
  for await (const line of readLines(performed)) {
    const said: Diagnosed | Step = JSON.parse(line) // as `writeDiagnosis` writes them
    if ('known' in said) {
      const known = said.known.length === 0 ? 'there is none yet' : `there are ${said.known.join(', ')}`
      process.stderr.write(`millwright: no directory is called ${wanted}; ${known}\n`)
      return false
    }
    if ('host' in said) process.stdout.write(`Directory ${said.name}, ${said.host}\n\n`)
    else {
      steps.push(said)
      process.stdout.write(stepText(said))
    }
  }
  const { success, message } = summarize(steps)
  process.stdout.write(`\n${wrapText(message, '')}\n`)
  return success
}

function readLines(performed: Performed): AsyncIterable<string> {
  if (!(Symbol.asyncIterator in performed)) throw new Error('a diagnosis comes as lines')
  return createInterface({ input: Readable.from(performed) })
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
