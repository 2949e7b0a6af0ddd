/** Tests a source step by step, from its host name to the groups of one person, and says for each step what to do. */

import { createDeadline } from './deadline.ts'
import { adviceOf, DirectoryError, type DirectoryErrorCode, formatSentence, type StepName } from './errors.ts'
import { createExamination } from './examination.ts'
import type { Finding } from './finding.ts'
import type { DirectorySource } from './source.ts'

export type { StepName } from './errors.ts'

/** One step of a diagnosis, with its result. */
export interface Step {
  readonly name: StepName
  readonly status: 'ok' | 'failed' | 'warning' | 'skipped'
  readonly milliseconds: number
  /** What happened, in one sentence. */
  readonly message: string
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null
  /** A code of the problem for programs; null when all is well. */
  readonly code: DirectoryErrorCode | null
  /** What was found: addresses, the certificate chain, a sample entry, its groups. */
  readonly details: Readonly<Record<string, unknown>>
}

/** What an examination of a source has found, step by step. */
export interface Diagnosis {
  readonly success: boolean
  readonly message: string
  readonly steps: readonly Step[]
}

/** Whom a diagnosis looks for, and how long it may take. */
export interface DiagnosisOptions {
  /** The time for all steps together in milliseconds; 20 seconds by default. */
  readonly deadlineMs?: number
  /** The login of a person to look for; without one any person will do. */
  readonly login?: string
}

/** Yields each step when it is done; after a failed step the rest is skipped. Never throws for what a directory does. */
export async function* diagnose(source: DirectorySource, options: DiagnosisOptions = {}): AsyncGenerator<Step> {
  const limit = createDeadline(options.deadlineMs ?? 20_000)
  const examined = createExamination(source, options.login ?? null, limit)
  let failed: StepName | null = null
  try {
    for (const { name, examine } of examined.steps) {
      if (failed) yield buildSkipped(name, `Not tried, because an earlier step failed (${failed}).`)
      else {
        const step = await timed(name, examine)
        if (step.status === 'failed') failed = name
        yield step
      }
    }
  } finally {
    examined.close()
  }
}

/** Computes the verdict on steps that were made, and the sentence that clients know (core-api §1.3). Warnings are not failures. */
export function summarize(steps: readonly Step[]): Diagnosis {
  const failed = steps.find((step) => step.status === 'failed')
  const message = failed
    ? `Unable to connect to LDAP server (${TITLES[failed.name]}: ${failed.message})`
    : 'Test connection to LDAP server was successful.'
  return { success: !failed, message, steps }
}

/** The names of the steps for people. */
export const TITLES = {
  resolve: 'Name resolution',
  connect: 'TCP connection',
  tls: 'TLS',
  bind: 'Service account',
  base_dn: 'Base DN',
  login_attribute: 'Login attribute',
  sample: 'Sample entry',
  groups_base: 'Groups base',
  membership: 'Group membership',
} as const satisfies Record<StepName, string>

async function timed(name: StepName, examine: () => Promise<Finding>): Promise<Step> {
  const start = performance.now()
  const computeTaken = () => Math.round(performance.now() - start)
  try {
    const { status = 'ok', code = null, message, advice, details = {} } = await examine()
    const text = message ?? (code ? formatSentence(code) : '')
    return {
      name,
      status,
      milliseconds: computeTaken(),
      message: text,
      advice: advice ?? (code && adviceOf(code)),
      code,
      details,
    }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    const details = detailsOf(error)
    return {
      name,
      status: 'failed',
      milliseconds: computeTaken(),
      message: error.message,
      advice: error.advice,
      code: error.code,
      details,
    }
  }
}

function detailsOf(error: DirectoryError): Record<string, unknown> {
  const { server, found } = error.details
  return { ...(server ? { server } : {}), ...found }
}

function buildSkipped(name: StepName, message: string): Step {
  return { name, status: 'skipped', milliseconds: 0, message, advice: null, code: null, details: {} }
}
