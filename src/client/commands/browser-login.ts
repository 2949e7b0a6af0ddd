import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { membersOf } from '../../lib/values.ts'
import { EXIT, Failure } from '../failure.ts'
import { ask, refusal } from '../request.ts'
import type { Target } from './contexts.ts'
import { openPage } from './open-page.ts'
import type { Session } from './session.ts'

/** What a login through a browser yields. */
export type Received = Required<Pick<Target, 'login' | 'token' | 'tokenId'>>

const CLIENT = { client_id: 'millwright-cli', client_name: `millwright on ${hostname()}` }
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const PATIENCE_MS = 10 * 60_000

/** Logs in through a browser on this machine: it brings a code back to an address of this machine (RFC 8252). */
export async function logInByBrowser(session: Session, target: Target, scope: string): Promise<Received> {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const listening = await listenForCode(state)
  try {
    const query = new URLSearchParams({
      ...CLIENT,
      response_type: 'code',
      redirect_uri: listening.address,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      ...(scope !== '' && { scope }),
    })
    const page = `${target.url}/authorize?${query}`
    await session.write(`Allow the login in your browser: ${page}\n`)
    openPage(session.env, page)
    const code = await listening.code
    const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: listening.address }
    const answer = await exchange(target, grant)
    if ('token' in answer) return answer
    throw new Failure(EXIT.denied, `the login was refused: ${answer.sentence}`)
  } finally {
    await listening.close()
  }
}

/** Logs in through a browser on any machine, where somebody types a code (RFC 8628). */
export async function logInByDevice(session: Session, target: Target, scope: string): Promise<Received> {
  const form = { ...CLIENT, ...(scope !== '' && { scope }) }
  const reply = await ask(target, { method: 'POST', path: '/oauth/device_authorization', form })
  const { device_code, user_code, verification_uri, verification_uri_complete, interval, error_description } =
    membersOf(reply.body)
  if (reply.status !== 200) {
    if (typeof error_description === 'string') throw new Failure(EXIT.refused, error_description)
    throw refusal(reply, target)
  }
  await session.write(
    `Open ${String(verification_uri)} in a browser and type the code ${String(user_code)}, or open ${String(verification_uri_complete)}\n`,
  )
  let seconds = Number(interval)
  while (true) {
    await wait(seconds * 1000)
    const answer = await exchange(target, { grant_type: DEVICE_GRANT, device_code: String(device_code) })
    if ('token' in answer) return answer
    if (answer.error === 'slow_down') seconds += 5
    else if (answer.error !== 'authorization_pending')
      throw new Failure(EXIT.denied, `the login was refused: ${answer.sentence}`)
  }
}

interface Refused {
  readonly error: string
  readonly sentence: string
}

async function exchange(target: Target, grant: Readonly<Record<string, string>>): Promise<Received | Refused> {
  const form = { client_id: CLIENT.client_id, ...grant }
  const reply = await ask(target, { method: 'POST', path: '/oauth/token', form })
  const { access_token, login, token_id, error, error_description } = membersOf(reply.body)
  if (typeof access_token === 'string' && typeof login === 'string' && typeof token_id === 'number')
    return { token: access_token, login, tokenId: token_id }
  if (typeof error === 'string') return { error, sentence: String(error_description ?? error) }
  throw refusal(reply, target)
}

interface Listening {
  readonly address: string
  /** Resolves with the code that the browser brings. */
  readonly code: Promise<string>
  close(): Promise<void>
}

type Finish = (code: string | Failure) => void

/** Waits on an address of this machine for the browser; only an answer with our state counts. */
async function listenForCode(state: string): Promise<Listening> {
  let finish: Finish = () => undefined
  const code = new Promise<string>((resolve, reject) => {
    finish = (result) => (typeof result === 'string' ? resolve(result) : reject(result))
  })
  code.catch(() => undefined) // it may be refused before anybody waits for it
  const server = createServer((request, response) => receive(request, response, state, finish))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const giveUp = () => finish(new Failure(EXIT.denied, 'nobody has allowed the login within ten minutes'))
  const timer = setTimeout(giveUp, PATIENCE_MS)
  return {
    address: `http://127.0.0.1:${port}/`,
    code,
    close: async () => {
      clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function receive({ url = '' }: IncomingMessage, response: ServerResponse, state: string, finish: Finish): void {
  const query = new URLSearchParams(url.split('?')[1])
  const [code, isOurs] = [query.get('code'), query.get('state') === state]
  const said = !isOurs
    ? 'This address is for the browser that a login has opened.'
    : code
      ? 'You are logged in. You can close this window.'
      : 'The login was refused. You can close this window.'
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
  response.writeHead(isOurs ? 200 : 400, headers).end(`${said}\n`, () => {
    if (isOurs) finish(code || new Failure(EXIT.denied, 'the login was refused in the browser'))
  })
}
