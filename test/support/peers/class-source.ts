import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The default of a parameter: a literal as JSON, or source text where it is no literal. */
export interface SourceParameter {
  readonly type?: string
  readonly literal?: unknown
  readonly source?: string
}

/** Classes by full name, with their parameters. */
export type SourceClasses = Readonly<Record<string, Readonly<Record<string, SourceParameter>>>>

/** Classes by environment; a number is the status with which the environment fails. */
export type SourceEnvironments = Readonly<Record<string, SourceClasses | number>>

/** A smart proxy with the Config feature, and the server behind it (smart-parameters §6.3 and §9.3.3). */
export interface ClassSourcePeer extends AsyncDisposable {
  readonly url: string
  /** The requested paths in order. */
  readonly asked: string[]
  /** Sets the environments. */
  hold(environments: SourceEnvironments): void
  /** Sets files that cannot be parsed, by environment. */
  break(files: Readonly<Record<string, readonly string[]>>): void
  /** Sets whether it reports types and unreadable files, which older proxies do not. */
  describe(whether: boolean): void
  /** Answers every request below its URL with this function; null restores the normal answers. */
  answer(answer: ((request: IncomingMessage, response: ServerResponse) => void) | null): void
}

/** Starts one on 127.0.0.1. */
export async function startClassSource(): Promise<ClassSourcePeer> {
  let held: SourceEnvironments = {}
  let broken: Readonly<Record<string, readonly string[]>> = {}
  let describes = true
  let answered: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/v2/features')
      return json(response, {
        puppet: { state: 'running', capabilities: [], settings: { puppet_url: peer.url } },
        logs: { state: 'running', capabilities: [], settings: {} },
      })
    asked.push(path)
    if (answered) return answered(request, response)
    if (path === '/puppet/environments') return json(response, Object.keys(held))
    const proxied = /^\/puppet\/environments\/([^/]+)\/(classes|classes_and_errors)$/.exec(path)
    if (proxied?.[1] && proxied[2]) return tell(response, proxied[1], proxied[2])
    if (path === '/puppet/v3/environments')
      return json(response, { environments: Object.fromEntries(Object.keys(held).map((name) => [name, {}])) })
    const direct = /^\/puppet\/v3\/environment_classes\?environment=(\w+)$/.exec(path)
    if (direct?.[1]) return tellDirectly(request, response, direct[1])
    response.writeHead(404).end('Requested url was not found')
  })
  const tell = (response: ServerResponse, environment: string, what: string) => {
    const classes = held[environment]
    if (typeof classes === 'number') return fail(response, classes, `Failed: status ${classes}`)
    if (classes === undefined) return fail(response, 404, `Could not find environment '${environment}'`)
    if (what === 'classes') return json(response, plain(classes))
    return describes ? json(response, files(classes, broken[environment])) : fail(response, 501, 'Not implemented')
  }
  const tellDirectly = (request: IncomingMessage, response: ServerResponse, environment: string) => {
    const classes = held[environment]
    if (typeof classes === 'number') return fail(response, classes, `Failed: status ${classes}`)
    if (classes === undefined) return fail(response, 404, `Could not find environment '${environment}'`)
    const body = { name: environment, files: files(classes, broken[environment]) }
    const etag = `"${Buffer.from(JSON.stringify(body)).toString('base64url').slice(-40)}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    return json(response, body, { etag })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: ClassSourcePeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, not on a socket in a folder
    asked,
    hold: (environments) => {
      held = environments
    },
    break: (unreadable) => {
      broken = unreadable
    },
    describe: (whether) => {
      describes = whether
    },
    answer: (behaviour) => {
      answered = behaviour
    },
    [Symbol.asyncDispose]: () => close(server),
  }
  return peer
}

function json(response: ServerResponse, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Sends text that is labelled as JSON. */
function fail(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

/** Formats classes like older proxies: the source text of defaults only. */
function plain(classes: SourceClasses): unknown {
  return Object.entries(classes).map(([name, parameters]) => {
    const [module, ...rest] = name.split('::')
    const params = Object.fromEntries(
      Object.entries(parameters).map(([parameter, { literal, source }]) => [
        parameter,
        literal === false ? 'false' : (literal ?? source ?? null),
      ]),
    )
    return { [name]: { name: rest.join('::') || module, module: rest.length > 0 ? module : null, params } }
  })
}

function files(classes: SourceClasses, broken: readonly string[] = []): unknown {
  return [
    ...Object.entries(classes).map(([name, parameters]) => ({
      path: `/etc/modules/${name.replaceAll('::', '/')}.pp`,
      classes: [{ name, params: Object.entries(parameters).map(described) }],
    })),
    ...broken.map((path) => ({ path, error: `Syntax error (file: ${path}, line: 1)` })),
  ]
}

function described([name, { type, literal, source }]: [string, SourceParameter]) {
  return {
    name,
    ...(type !== undefined && { type }),
    ...(literal !== undefined && { default_literal: literal }),
    ...((literal !== undefined || source !== undefined) && { default_source: source ?? JSON.stringify(literal) }),
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server.close(), 'close')
  server.closeAllConnections()
  await closed
}
