import type { ProxyContacts } from '../../../context.ts'
import type { HttpProxy, RunReason } from '../../proxies/index.ts'

/** Asks a smart proxy to run the configuration of a host (core-api §1.5). */
export interface ProxyRunner {
  readonly kind: 'proxy'
  /** http or https; user and password in it are sent as Basic authentication and never shown. */
  readonly url: string
  /** Path below the URL; default: the path of the protocol of smart proxies. */
  readonly path?: string
  /** Time limit of request and answer together. */
  readonly timeoutMs: number
  /** The HTTP proxy on the way; default: none. */
  readonly through?: HttpProxy | null
  /** Remembers how the contact ended; default: nobody does. */
  readonly contacts?: ProxyContacts
  /** PEM. Default of the authorities: those that this machine trusts. */
  readonly tls?: { readonly certificate?: string; readonly key?: string; readonly authorities?: string }
}

/** Executes a command on the host by the system's ssh client, without its configuration files. */
export interface SshRunner {
  readonly kind: 'ssh'
  readonly user: string
  /** In OpenSSH's format and without a passphrase. */
  readonly privateKey: string
  /** Lines of a known_hosts file; hosts with other keys are refused. */
  readonly knownHosts: string
  readonly port: number
  /** The command for the shell of that user; it contains nothing about the host. */
  readonly command: string
  readonly timeoutMs: number
  /** Exit statuses that mean success; default: [0]. */
  readonly successStatuses?: readonly number[]
}

/** Executes a program on this machine, without a shell. */
export interface CommandRunner {
  readonly kind: 'command'
  /**
   * A program (an absolute path, or a name to search) and its arguments. `%{host}` is replaced by the host, or the host
   * is added.
   */
  readonly command: readonly string[]
  readonly timeoutMs: number
  /** Exit statuses that mean success; default: [0]. */
  readonly successStatuses?: readonly number[]
}

/** A way to run the configuration of a smart proxy's hosts. */
export type Runner = ProxyRunner | SshRunner | CommandRunner

/** The host to be configured. */
export interface RunTarget {
  /** Its name, a fully qualified one in lower case. */
  readonly host: string
}

/** The source of output; `service` is the runner itself. */
export type RunStream = 'stdout' | 'stderr' | 'service'

/** How a run is cancelled, and who takes its output. */
export interface RunOptions {
  /** Cancels the run. The promise then settles within a few seconds, once local processes are gone. */
  readonly signal: AbortSignal
  /** Takes output and must not wait. If it throws, the run is stopped and rejects with that error. */
  readonly write: (stream: RunStream, chunk: Uint8Array | string) => void
  /** Sent to proxies as X-Request-Id; default: a random one. */
  readonly requestId?: string
}

/** How a run ended. */
export interface RunOutcome {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  /** The code of a failure; null otherwise. */
  readonly reason: RunReason | null
  /** The exit status of the command, if there was one and no signal ended it. */
  readonly exitStatus: number | null
  /** One line for people, without secrets; null after success. */
  readonly message: string | null
  /** Whether the run certainly did not begin and may succeed later, so that trying again is safe and useful. */
  readonly retryable: boolean
}
