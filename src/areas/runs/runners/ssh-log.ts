import { formatPrintable, type RunReason, type Trouble } from '../../proxies/index.ts'

/** The information about a run in ssh's log. */
export interface SshReport {
  /** Whether the host accepted the login, so that the command may have begun. */
  readonly hasBegun: boolean
  /** How the command ended according to the host; null when it did not tell. */
  readonly end: 'status' | 'signal' | null
  /** Why ssh failed before the command began or lost the connection later. */
  readonly trouble: Trouble
}

/** Parses a log of ssh at level DEBUG1. A missing log proves nothing: the command may have begun. */
export function parseSshLog(log: string | null): SshReport {
  const text = log ?? ''
  const hasBegun = log === null || /^Authenticated to /m.test(text)
  const end = END.exec(text)?.[1] ?? null
  return {
    hasBegun,
    end: end === 'status' || end === 'signal' ? end : null,
    trouble: hasBegun ? { reason: 'connection_lost', detail: findComplaint(text, PROGRESS) } : explainFailure(text),
  }
}

const END = /^debug1: client_input_channel_req: channel \d+ rtype exit-(status|signal) /m

/**
 * Messages of ssh with the reason that each shows. The first that is found counts, because one failure prints several.
 */
const CAUSES: readonly (readonly [RegExp, RunReason])[] = [
  [/^.*Could not resolve hostname.*$/m, 'unresolved'],
  [/^ssh: connect to host .*: Connection refused.*$/m, 'refused'],
  [/^ssh: connect to host .*: .*(?:No route to host|unreachable).*$/m, 'unreachable'],
  [/^.*(?:Connection timed out|Operation timed out|banner exchange: .*timed out|Timeout, server).*$/m, 'no_answer'],
  [/^.*REVOKED HOST KEY.*$/m, 'host_key_revoked'],
  [/^(?:.*Host key for .* has changed.*|.*HOST IDENTIFICATION HAS CHANGED.*)$/m, 'host_key_changed'],
  [/^.*(?:host key is known for|Host key verification failed).*$/m, 'host_key_unknown'],
  [/^Unable to negotiate with .*$/m, 'no_common_algorithm'],
  [/^Load key .*$/m, 'key_unreadable'],
  [/^.*(?:Permission denied|Too many authentication failures).*$/m, 'key_refused'],
  [/^(?!debug1:).*(?:kex_exchange_identification|banner exchange|Connection (?:closed|reset) by).*$/m, 'closed_early'],
]

function explainFailure(text: string): Trouble {
  const [cause, reason] = CAUSES.find(([pattern]) => pattern.test(text)) ?? [null, 'ssh_failed' as const]
  if (reason.startsWith('host_key')) return { reason, detail: findHostKey(text) }
  const line = cause?.exec(text)?.[0]
  // The path of our temporary file is of no use to readers.
  return { reason, detail: line ? formatPrintable(line.replace(/^Load key ".*": /, '')) : findComplaint(text) }
}

/** Kind and fingerprint of the host's key. */
function findHostKey(text: string): string | undefined {
  const found = /^debug1: Server host key: (\S+) (\S+)/m.exec(text)
  return found ? formatPrintable(`it is ${found[1]} ${found[2]}`) : undefined
}

const PROGRESS = /^(?:Authenticated to|Transferred:|Bytes per second)/

/** The last line of a log about a problem; undefined without one. */
function findComplaint(text: string, beside = /^$/): string | undefined {
  const line = text.split('\n').findLast((each) => each && !each.startsWith('debug1:') && !beside.test(each))
  return line && formatPrintable(line)
}
