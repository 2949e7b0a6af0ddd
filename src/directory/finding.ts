/** The findings of the steps of a diagnosis, and how those about several servers are combined. */
import { DirectoryError, type DirectoryErrorCode, formatSentence } from './errors.ts'
import type { Server } from './servers.ts'

/** What a step found; `status` defaults to ok, message and advice to those of the code. */
export interface Finding {
  readonly status?: 'ok' | 'warning' | 'skipped'
  readonly code?: DirectoryErrorCode
  readonly message?: string
  readonly advice?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Does work for all servers at once. Fails when it failed for every server. */
export async function askEachServer<T>(servers: readonly Server[], work: (server: Server) => Promise<T>) {
  const outcomes = await Promise.allSettled(servers.map(work))
  const good: [Server, T][] = []
  const bad: DirectoryError[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const server = servers[index]
    if (outcome.status === 'fulfilled' && server) good.push([server, outcome.value])
    else if (outcome.status === 'rejected') bad.push(asDirectoryError(outcome.reason))
  }
  const [first] = bad
  if (good.length === 0 && first) throw first
  return { good, bad }
}

function asDirectoryError(reason: unknown): DirectoryError {
  if (reason instanceof DirectoryError) return reason
  throw reason
}

/** Builds an ok finding, or a warning when some of several servers failed. */
export function buildPartialFinding(
  bad: readonly DirectoryError[],
  message: string,
  details: Record<string, unknown>,
): Finding {
  const [first] = bad
  if (!first) return { message, details }
  const failed = bad.map(({ details: { server, detail } }) => server ?? detail)
  return {
    status: 'warning',
    code: first.code,
    message: `${message} ${first.message}`,
    details: { ...details, failed },
  }
}

/** Builds a warning: it works, but something should be done about it. */
export function buildWarning(code: DirectoryErrorCode, detail?: string): Finding {
  return { status: 'warning', code, message: formatSentence(code, { detail }) }
}
