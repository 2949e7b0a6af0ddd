import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EXIT, Failure, usage } from '../failure.ts'

/** The environment variables, as the caller passes them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A server, with the credentials and defaults to use there. */
export interface Target {
  readonly url: string
  readonly login?: string | undefined
  readonly token?: string | undefined
  /** The id of the token that `login` created; `logout` revokes it. */
  readonly tokenId?: number | undefined
  readonly organization?: string | undefined
  readonly location?: string | undefined
  /** Files in PEM format. */
  readonly ca?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  /** The HTTP proxy to the server; it comes from the environment and is never stored. */
  readonly proxy?: string | undefined
  /** The path of a Unix socket on this machine, used instead of a network address. */
  readonly socket?: string | undefined
}

/** The stored contexts by name, and which of them is used. */
export interface Contexts {
  readonly current: string | null
  readonly contexts: Readonly<Record<string, Target>>
}

function contextsPathOf(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || '.', '.config')
  return env['MILLWRIGHT_CONTEXTS'] || join(folder, 'millwright', 'contexts.json')
}

/** Reads the stored contexts; none where there is no file. */
export function readContexts(env: Environment): Contexts {
  const path = contextsPathOf(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { current: null, contexts: {} }
    throw new Failure(EXIT.refused, `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return JSON.parse(text) as Contexts // only this program writes the file
  } catch {
    throw new Failure(EXIT.refused, `${path} is no JSON any more: repair it, or delete it and log in again`)
  }
}

/** Stores the contexts readable for their owner only: writes a temporary file and renames it. */
export function writeContexts(env: Environment, contexts: Contexts): void {
  const path = contextsPathOf(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, path)
}

/** Chooses the server of this command: from the command line, the environment, or the current context. */
export function chooseTarget(env: Environment, given: ReadonlyMap<string, string>): Target {
  const { current, contexts } = readContexts(env)
  const name = given.get('context') ?? env['MILLWRIGHT_CONTEXT']
  const known = Object.keys(contexts)
  if (name !== undefined && !contexts[name]) {
    throw usage(
      `there is no context ${name}${known.length > 0 ? `: there are ${known.join(', ')}` : ''}; see millwright login`,
    )
  }
  const url = given.get('url') ?? (name === undefined ? env['MILLWRIGHT_URL'] : undefined)
  const stored = contexts[name ?? current ?? '']
  const same = url === undefined || stored?.url === readUrl(url)
  const base = same ? stored : undefined
  const socket = socketOf(env)
  const address = url ?? base?.url ?? (socket ? 'http://localhost' : undefined)
  if (address === undefined) {
    throw usage('no server is chosen: run millwright login URL, or set MILLWRIGHT_URL and MILLWRIGHT_TOKEN')
  }
  return {
    ...base,
    ...(url !== undefined && credentialsOf(env, readUrl(url))),
    url: readUrl(address),
    ...present({
      organization: env['MILLWRIGHT_ORGANIZATION'],
      location: env['MILLWRIGHT_LOCATION'],
      ca: given.get('ca') ?? env['MILLWRIGHT_CA'],
      certificate: given.get('certificate') ?? env['MILLWRIGHT_CERTIFICATE'],
      key: given.get('key') ?? env['MILLWRIGHT_KEY'],
    }),
    ...(url === undefined && base === undefined && socket ? { socket } : { proxy: proxyOf(env, readUrl(address)) }),
  }
}

/**
 * Yields the token of the environment with its login, or none. It is used for the server that the environment names, or,
 * where it names none, that of the command line; contexts have tokens of their own.
 */
function credentialsOf(env: Environment, address: string): Pick<Target, 'token' | 'login'> | undefined {
  const { MILLWRIGHT_TOKEN: token, MILLWRIGHT_LOGIN: login, MILLWRIGHT_URL: url } = env
  if (!token || (url && readUrl(url) !== address)) return undefined
  return { token, login: login || undefined }
}

/** Yields the proxy for an address from the environment variables that other programs use (such as `https_proxy`). */
export function proxyOf(env: Environment, address: string): string | undefined {
  const { protocol, hostname } = new URL(address)
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const said = env[name] || env[name.toUpperCase()]
  const around = (env['no_proxy'] || env['NO_PROXY'] || '').split(',').map((each) => each.trim().replace(/^\*?\./, ''))
  if (!said || around.some((each) => each === '*' || hostname === each || (each && hostname.endsWith(`.${each}`))))
    return undefined
  const full = said.includes('://') ? said : `http://${said}`
  if (!URL.canParse(full) || new URL(full).protocol !== 'http:')
    throw usage(`${name.toUpperCase()} is not the address of a proxy, such as http://proxy.example.test:3128`)
  return full
}

/** Yields the socket of a service of this machine with a data directory, if that belongs to the user of this process. */
function socketOf(env: Environment): string | undefined {
  const socket = env['MILLWRIGHT_SOCKET'] || resolve(env['MILLWRIGHT_DATA_DIR'] || 'data', 'millwright.sock')
  const stat = statSync(socket, { throwIfNoEntry: false })
  const own = process.getuid?.()
  return stat?.isSocket() && (own === 0 || stat.uid === own) ? socket : undefined
}

function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1])))
}

/** Reads the address of a server; https where no scheme is given. {@throws Failure} when it is none */
export function readUrl(text: string): string {
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(full))
    throw usage(`${JSON.stringify(text)} is not an address such as https://millwright.example.test`)
  const { origin, pathname, username } = new URL(full)
  if (username) throw usage('an address must not contain a login: millwright login prompts for it')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
