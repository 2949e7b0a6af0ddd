import type { HttpProxy, RunReason } from '../../proxies/index.ts'
/** What a runner is asked for and what it answers. `run.ts` runs it. */

/** Asks a smart proxy to run the configuration of a host (core-api §1.5). */
export interface ProxyRunner {
  readonly kind: 'proxy'
  /** http or https; a user and password in it are sent as Basic authentication and never shown. */
  readonly url: string
  /** Below the URL; what the protocol says unless given. */
  readonly path?: string
  /** For the whole exchange. */
  readonly timeoutMs: number
  /** The HTTP proxy on the way there; none unless given. */
  readonly through?: HttpProxy | null
  /** PEM. With authorities only these are trusted, otherwise what this machine trusts. */
  readonly tls?: { readonly certificate?: string; readonly key?: string; readonly authorities?: string }
}

/** Runs a command on the host over SSH, with the system's client and nothing of its configuration. */
export interface SshRunner {
  readonly kind: 'ssh'
  readonly user: string
  /** As ssh-keygen writes it, without a passphrase. */
  readonly privateKey: string
  /** Lines of a known_hosts file; a host whose key is not among them is refused. */
  readonly knownHosts: string
  readonly port: number
  /** What the shell of that user is told. The host has no part in it. */
  readonly command: string
  readonly timeoutMs: number
  /** Exit statuses that mean success; [0] unless given. */
  readonly successStatuses?: readonly number[]
}

/** Runs a program on this machine, without a shell. */
export interface CommandRunner {
  readonly kind: 'command'
  /** A program (a path from the root, or a name to look for) and its arguments. The host replaces `%{host}`, or comes last. */
  readonly command: readonly string[]
  readonly timeoutMs: number
  /** Exit statuses that mean success; [0] unless given. */
  readonly successStatuses?: readonly number[]
}

/** How a smart proxy runs the configuration of its hosts. */
export type Runner = ProxyRunner | SshRunner | CommandRunner

/** What is to be configured. */
export interface RunTarget {
  /** Its name, a lower-case FQDN. */
  readonly host: string
}

/** Where a piece of output comes from; `service` is what the runner itself has to say. */
export type RunStream = 'stdout' | 'stderr' | 'service'

export interface RunOptions {
  /** Cancels. The promise settles when the local processes are gone, a few seconds later at most. */
  readonly signal: AbortSignal
  /** Takes output as it comes and must not wait; if it throws, the run is stopped and the error passed on. */
  readonly write: (stream: RunStream, chunk: Uint8Array | string) => void
  /** Told to proxies as X-Request-Id; a random one unless given. */
  readonly requestId?: string
}

/** How a run ended. */
export interface RunOutcome {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  /** Why it failed, in one word that does not change; null unless failed. */
  readonly reason: RunReason | null
  /** Of the command, where there was one and it ended by itself. */
  readonly exitStatus: number | null
  /** For people, one line without secrets; null when succeeded. */
  readonly message: string | null
  /** The run certainly did not start there and may do better later, so that trying again is safe and of use. */
  readonly retryable: boolean
}
