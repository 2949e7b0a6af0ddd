import { readFileSync } from 'node:fs'
import type { CommandLine } from '../config/arguments.ts'
import { ConfigError, type Settings } from '../config/config.ts'
import { type DumpRow, decryptColumn, readEncryptionKey, readTable } from '../switching/dump.ts'
import type { TakenSecret, TakenSecrets } from '../switching/secrets.ts'
import { operate } from './operate.ts'

/** Columns of the old database with secrets, and the records and keys here that they belong to. */
const COLUMNS: readonly {
  readonly table: string
  readonly column: string
  readonly kind: string
  readonly key: string
}[] = [
  { table: 'users', column: 'password_hash', kind: 'user', key: 'password' },
  { table: 'personal_access_tokens', column: 'token', kind: 'user', key: 'token' },
  { table: 'auth_sources', column: 'account_password', kind: 'auth_source_ldap', key: 'account_password' },
  { table: 'http_proxies', column: 'password', kind: 'http_proxy', key: 'password' },
  { table: 'hostgroups', column: 'root_pass', kind: 'hostgroup', key: 'root_pass' },
  { table: 'hosts', column: 'root_pass', kind: 'host', key: 'root_pass' },
]

/**
 * `millwright import secrets`: takes from a backup of the old database what its API hides. Reads the dump here, and sends
 * the secrets to the process that holds the data. Resolves with the exit code.
 */
export async function importSecrets(settings: Settings, { words, switches, options }: CommandLine): Promise<number> {
  const dump = words[2] ?? ''
  const keyFile = options.get('key')
  const key = keyFile === undefined ? null : readEncryptionKey(readText(keyFile))
  const unreadable: string[] = []
  let secrets: TakenSecret[]
  try {
    secrets = await readSecrets(dump, key, unreadable)
  } catch (error) {
    process.stderr.write(`millwright: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  return operate(settings, 'import-secrets', { secrets }, (result) => {
    const { stored, refused } = result as TakenSecrets // what the operation yields
    const all = [...unreadable, ...refused.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`)]
    if (switches.has('json')) return void process.stdout.write(`${JSON.stringify({ stored, refused: all })}\n`)
    for (const line of all) process.stdout.write(`Not stored: ${line}\n`)
    for (const [kind, count] of Object.entries(stored))
      process.stdout.write(`${kind.replaceAll('_', ' ')}: ${count} secrets stored\n`)
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([`--key: ${error instanceof Error ? error.message : String(error)}`])
  }
}

async function readSecrets(dump: string, key: string | null, unreadable: string[]): Promise<TakenSecret[]> {
  const secrets: TakenSecret[] = []
  for (const place of COLUMNS) {
    for await (const row of readTable(dump, place.table)) {
      const value = row[place.column]
      if (!value || row.revoked === 't' || isPast(row.expires_at)) continue
      try {
        secrets.push(toSecret(place, row, decryptColumn(value, key)))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        unreadable.push(`${place.kind} ${row.id}: ${place.column}: ${reason}`)
      }
    }
  }
  return secrets
}

function toSecret({ kind, key }: (typeof COLUMNS)[number], row: DumpRow, value: string): TakenSecret {
  const common = { kind, id: Number(row.id), key, value }
  if (key === 'password' && kind === 'user') return { ...common, salt: row.password_salt ?? '' }
  if (key !== 'token') return common
  return { ...common, id: Number(row.user_id), token: { name: row.name ?? '', expires_at: readTime(row.expires_at) } }
}

/** Reads a time of the old database, which is in UTC. */
function readTime(text: string | null | undefined): string | null {
  return text ? `${text.replace(' ', 'T')}Z` : null
}

function isPast(text: string | null | undefined): boolean {
  const time = readTime(text)
  return time !== null && Date.parse(time) <= Date.now()
}
