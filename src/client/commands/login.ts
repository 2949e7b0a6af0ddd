import { hostname } from 'node:os'
import { membersOf } from '../../lib/values.ts'
import { readRest, suggestKnown } from '../arguments.ts'
import { EXIT, Failure, usage } from '../failure.ts'
import { createPrinter } from '../output.ts'
import { askText } from '../prompt.ts'
import { askWell } from '../request.ts'
import { withCommonFlags } from '../taking.ts'
import type { Received } from './browser-login.ts'
import { proxyOf, readContexts, readUrl, type Target, writeContexts } from './contexts.ts'
import type { Session } from './session.ts'

const FLAGS = ['user', 'login', 'password', 'name', 'organization', 'location', 'permissions']
const SWITCHES = ['browser', 'device']

/** Gets a token, by a password or through a browser, and stores it. */
export async function runLogin(session: Session, argv: readonly string[]): Promise<number> {
  const flags = new Map([...withCommonFlags(FLAGS), ...SWITCHES.map((flag) => [flag, ''] as const)])
  const { words, values } = readRest(argv, flags)
  session.use(values)
  const [address, ...others] = words
  if (address === undefined || others.length > 0)
    throw usage('usage: millwright login URL [--user LOGIN | --browser | --device]')
  const readSaid = (flag: string) => values.get(flag)?.at(-1)
  const url = readUrl(address)
  const chosen = session.chosen()
  const files = { ca: chosen.get('ca'), certificate: chosen.get('certificate'), key: chosen.get('key') }
  const name = readSaid('name') ?? readSaid('context') ?? new URL(url).host
  const stored = readContexts(session.env)
  const proxy = proxyOf(session.env, url)
  const made = await getToken(session, { url, ...files, proxy }, readSaid)
  const target: Target = { url, ...made, ...files, ...readPlaces(readSaid) }
  // The token is tried before it is stored.
  const { body } = await askWell({ ...target, proxy }, { method: 'GET', path: '/api/current_user' })
  writeContexts(session.env, { current: name, contexts: { ...stored.contexts, [name]: target } })
  const former = stored.contexts[name]
  // A context that is replaced has its token revoked; when its server cannot be reached, the token stays valid.
  if (former) await revoke(session, former).catch(() => undefined)
  await session.write(
    `Logged in at ${url} as ${String(membersOf(body).login ?? target.login)}; the context is called ${name}.\n`,
  )
  return EXIT.done
}

function readPlaces(said: Said): Partial<Target> {
  return { organization: said('organization'), location: said('location') }
}

type Said = (flag: string) => string | undefined

async function getToken(session: Session, target: Target, said: Said): Promise<Received> {
  const [byBrowser, byDevice] = SWITCHES.map((flag) => said(flag) === 'true')
  const scope = said('permissions')?.replaceAll(',', ' ').trim() ?? ''
  if (!byBrowser && !byDevice) {
    if (scope !== '') throw usage('--permissions is for --browser and --device')
    return makeToken(session, target, said)
  }
  if (byBrowser && byDevice) throw usage('--browser and --device exclude each other')
  const other = ['user', 'login', 'password'].find((flag) => said(flag) !== undefined)
  if (other) throw usage(`--${other} is for a login by password: who logs in is decided in the browser`)
  const { logInByBrowser, logInByDevice } = await import('./browser-login.ts')
  return byBrowser ? logInByBrowser(session, target, scope) : logInByDevice(session, target, scope)
}

async function makeToken(session: Session, server: Target, said: Said): Promise<Received> {
  if (said('password') !== undefined)
    throw usage(
      'every user of the machine could see --password: type the password, pipe it, or set MILLWRIGHT_PASSWORD',
    )
  const login =
    said('user') ?? said('login') ?? session.env['MILLWRIGHT_LOGIN'] ?? (await askText(session, 'Login: ', false))
  const target = { ...server, login }
  const password = session.env['MILLWRIGHT_PASSWORD'] ?? (await askText(session, 'Password: ', true))
  const who: Target = { ...target, token: password }
  // Token names of a user are unique, and two terminals may log in at the same moment.
  const name = `millwright on ${hostname()} ${new Date().toISOString()} ${process.pid}`
  const { body } = await askWell(who, {
    method: 'POST',
    path: tokensOf(target),
    body: { personal_access_token: { name } },
  })
  const { id, token_value } = membersOf(body)
  if (typeof token_value !== 'string' || typeof id !== 'number')
    throw new Failure(EXIT.refused, `${target.url} made no token`)
  return { login, token: token_value, tokenId: id }
}

function tokensOf({ login }: Target): string {
  return `/api/users/${encodeURIComponent(login ?? '')}/personal_access_tokens`
}

/** Revokes the token of a context if the server can be reached, and removes the context in any case. */
export async function runLogout(session: Session, argv: readonly string[]): Promise<number> {
  const { values, words } = readRest(argv, withCommonFlags(FLAGS))
  session.use(values)
  const { current, contexts } = readContexts(session.env)
  const name = words[0] ?? session.option('context') ?? current ?? ''
  const target = contexts[name]
  if (!target) throw usage(`there is no context ${name || 'in use'}; see millwright context list`)
  let remark = ''
  try {
    await revoke(session, target)
  } catch (error) {
    remark = ` Its token still counts: ${error instanceof Error ? error.message : String(error)}`
  }
  const { [name]: _gone, ...left } = contexts
  writeContexts(session.env, { current: current === name ? (Object.keys(left)[0] ?? null) : current, contexts: left })
  await session.write(`Logged out of ${name}.${remark}\n`)
  return EXIT.done
}

async function revoke({ env }: Session, target: Target): Promise<void> {
  const { tokenId, token, login: _login, ...server } = target
  if (tokenId === undefined || token === undefined) return
  const form = { token } // a token with limits may revoke nothing, but it names itself here
  await askWell({ ...server, proxy: proxyOf(env, target.url) }, { method: 'POST', path: '/oauth/revoke', form })
}

/** Lists contexts, chooses one, or sets its organization and location. */
export async function runContexts(session: Session, argv: readonly string[]): Promise<number> {
  const { values, words } = readRest(argv, withCommonFlags(FLAGS))
  session.use(values)
  const [action = 'list', name] = words
  const stored = readContexts(session.env)
  if (action === 'list') return listContexts(session)
  if (action !== 'use' && action !== 'set')
    throw usage(`context has no ${JSON.stringify(action)}${suggestKnown(action, ['list', 'use', 'set'])}`)
  const chosen = name ?? stored.current ?? ''
  const target = stored.contexts[chosen]
  if (!target) throw usage(`there is no context ${chosen}${suggestKnown(chosen, Object.keys(stored.contexts))}`)
  const changes = Object.fromEntries(
    (['organization', 'location'] as const).flatMap((key) => {
      const said = values.get(key)?.at(-1)
      return said === undefined ? [] : [[key, said === '' ? undefined : said]]
    }),
  )
  const current = action === 'use' ? chosen : stored.current
  writeContexts(session.env, { current, contexts: { ...stored.contexts, [chosen]: { ...target, ...changes } } })
  await session.write(`${action === 'use' ? 'In use' : 'Changed'}: ${chosen}, ${target.url}\n`)
  return EXIT.done
}

async function listContexts(session: Session): Promise<number> {
  const { current, contexts } = readContexts(session.env)
  const printer = createPrinter(session.shape('name'), session.write)
  const rows = Object.entries(contexts).map(([name, { url, login, organization, location }]) => ({
    current: name === current ? '*' : '',
    name,
    url,
    login: login ?? '',
    organization: organization ?? '',
    location: location ?? '',
  }))
  await printer.rows(rows)
  await printer.end()
  return EXIT.done
}
