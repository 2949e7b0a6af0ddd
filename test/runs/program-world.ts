import { ADMIN } from '../support/api.ts'

/** A run in a list. */
export interface RunShown {
  readonly id: number
  readonly host_name: string
  readonly status: string
  readonly message: string | null
}

/** Sends requests to a real program as its administrator. */
export interface ProgramCaller {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly get: (path: string) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly post: (path: string, body: unknown) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly put: (path: string, body: unknown) => Promise<any>
}

/** {@throws} when an answer is not a success */
export function callerOf(address: string, password = 'correct horse'): ProgramCaller {
  const headers = { authorization: `Basic ${btoa(`${ADMIN.login}:${password}`)}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
  }
}

/** Creates this many hosts, whose runs execute a program on this machine. */
export async function makeHosts(
  { post, put }: ProgramCaller,
  program: string,
  count: number,
  word = 'host',
): Promise<void> {
  await put('/api/settings/configrun', { setting: { value: true } })
  const keys = { name: 'here', url: 'http://127.0.0.1:1', runner: 'command', runner_command: [program] }
  const { id } = await post('/api/smart_proxies', { smart_proxy: keys })
  for (let n = 0; n < count; n++) {
    await post('/api/hosts', { host: { name: `${word}-${n}.example.test`, managed: false, config_proxy_id: id } })
  }
}
