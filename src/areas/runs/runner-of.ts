import type { ProxyContacts } from '../../context.ts'
import { decryptIfPossible, type Encryption, purposeOf } from '../../encryption/encryption.ts'
import { CONFIG_AGENT_ONCE, CONFIG_AGENT_SUCCESS } from '../../words/protocols.ts'
import type { HttpProxy } from '../proxies/index.ts'
import type { LaunchRow } from './queue.ts'
import type { Runner } from './runners/runner.ts'

/** Settings that runners need beside the row of their smart proxy. */
export interface RunnerSettings {
  readonly encryption: Encryption
  /** Time limit of proxies without one of their own. */
  readonly proxyTimeoutMs: number
  readonly tls?: { readonly certificate?: string; readonly key?: string; readonly authorities?: string }
  readonly contacts?: ProxyContacts
  /** The HTTP proxy on the way to smart proxies; null: none. */
  readonly through?: HttpProxy | null
  /** Programs that the service may start on this machine. */
  readonly commands: readonly string[]
}

/** Default time limit, in milliseconds, of a run by SSH or by a command: one hour. */
const HOST_TIMEOUT_MS = 3600_000
const SSH_PORT = 22
const SSH_KEY = purposeOf({ table: 'smart_proxies', column: 'ssh_key' })

/** Builds the runner of a smart proxy, with decrypted secrets; or a message with the reason why it is unusable. */
export function buildRunner(row: LaunchRow, settings: RunnerSettings): Runner | string {
  const own = row.run_timeout === null ? null : row.run_timeout * 1000
  switch (row.runner) {
    case null:
      return row.host === null ? 'the host was deleted' : 'no config proxy defined - cant continue'
    case 'proxy':
      return {
        kind: 'proxy',
        url: row.url,
        timeoutMs: own ?? settings.proxyTimeoutMs,
        through: settings.through ?? null,
        ...(settings.tls && { tls: settings.tls }),
        ...(settings.contacts && { contacts: settings.contacts }),
      }
    case 'ssh':
      return buildSshRunner(row, own ?? HOST_TIMEOUT_MS, settings)
    case 'command': {
      const [program = ''] = row.runner_command
      if (!settings.commands.includes(program)) {
        return `the service may not start ${program || 'a program without a name'}: the configuration key run-commands lists what it may`
      }
      return { kind: 'command', command: row.runner_command, timeoutMs: own ?? HOST_TIMEOUT_MS }
    }
  }
}

function buildSshRunner(row: LaunchRow, timeoutMs: number, { encryption }: RunnerSettings): Runner | string {
  const { ssh_key: key, ssh_known_hosts: knownHosts } = row
  if (!key) return 'the smart proxy has no ssh_key, which runs over SSH need'
  if (!knownHosts) return 'the smart proxy has no ssh_known_hosts, which runs over SSH need'
  const privateKey = decryptIfPossible(encryption, key, SSH_KEY)
  if (privateKey === null) return 'the key of the smart proxy cannot be decrypted: it was encrypted with another key'
  const user = row.ssh_user || 'root'
  const how = { kind: 'ssh', user, privateKey, knownHosts, port: row.ssh_port ?? SSH_PORT, timeoutMs } as const
  if (row.runner_command.length > 0) return { ...how, command: row.runner_command.join(' ') }
  return { ...how, command: CONFIG_AGENT_ONCE, successStatuses: CONFIG_AGENT_SUCCESS }
}
