import { readConfig } from '../../../src/config/config.ts'
import { startService } from '../../../src/service/service.ts'
import { startClassSource } from '../../support/peers/class-source.ts'
import { quiet } from '../../support/settings.ts'
import { openPlayer, type Played, type Player } from './player.ts'

/** A service on a bundled database, a smart proxy, and a player for its vendor listener. */
export interface Site extends AsyncDisposable {
  readonly player: Player
  /** Runs a playbook in its first version, or with these variables, and arguments of the command line. */
  readonly play: (playbook: string, variables?: Readonly<Record<string, string>>, ...words: string[]) => Promise<Played>
  /** Yields the records of a list. */
  readonly found: (path: string) => Promise<readonly { readonly id: number }[]>
  /** Sends a request for which there is no module. {@throws Error} when it is refused */
  readonly put: (path: string, body: unknown) => Promise<void>
}

const ADMIN = { login: 'admin', password: 'admin-password' }

/** Starts all of them; the modules are those of Debian's collection, or of one below this folder. */
export async function openSite({ collections }: { readonly collections?: string } = {}): Promise<Site> {
  await using parts = new AsyncDisposableStack()
  const proxy = parts.use(await startClassSource())
  proxy.hold({
    testing: { ntp: { servers: { type: 'Array', literal: ['pool.example.com'] } }, ssh: {} },
  })
  const env = {
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_PORT: '0',
    MILLWRIGHT_VENDOR_PORT: '0',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
  }
  const service = parts.use(
    await startService(
      readConfig([], env, () => ''),
      quiet,
    ),
  )
  const url = service.vendorAddress ?? ''
  const player = parts.use(await openPlayer({ url, ...ADMIN, ...(collections && { collections }) }))
  const asked = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Basic ${btoa(`${ADMIN.login}:${ADMIN.password}`)}`,
      'content-type': 'application/json',
    }
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const all = parts.move()
  return {
    player,
    found: async (path) => ((await asked('GET', path)) as { results: { id: number }[] }).results, // a page
    put: async (path, body) => {
      await asked('PUT', path, body)
    },
    play: (playbook, variables = {}, ...words) =>
      player.play(playbook, { edition: '1', proxy_url: proxy.url, ...variables }, ...words),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
