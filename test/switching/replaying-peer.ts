import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Exchange, isObject, type JsonObject, recordedCases } from '../dialect/replay/exchanges.ts'

/** What a fault does to an answer: yields true once it has answered by itself. */
export type ReplayFault = (url: URL, body: unknown, response: ServerResponse) => boolean

/** A server that answers with the records that real servers have answered. */
export interface ReplayingPeer extends AsyncDisposable {
  readonly url: string
  fault: ReplayFault | null
}

type Collections = ReadonlyMap<string, ReadonlyMap<number, JsonObject>>

/** Serves the records of recorded examples: those of one fixture, whose ids are the same in all versions. */
export async function serveRecorded(): Promise<ReplayingPeer> {
  const collections = collect(recordedCases().flatMap(({ name, exchanges }) => (OF.test(name) ? exchanges : [])))
  const peer: { fault: ReplayFault | null } = { fault: null }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://recorded')
    const { status, body } = answer(collections, url)
    if (status === 200 && peer.fault?.(url, body, response)) return
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return Object.assign(peer, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  })
}

const OF = /^documentation of f\w+\/(?:3|2\.5)/

/** Collects the records of answers by the path of their list. Later answers complete earlier ones. */
function collect(exchanges: readonly Exchange[]): Collections {
  const collections = new Map<string, Map<number, JsonObject>>()
  const add = (path: string, record: JsonObject) => {
    if (typeof record.id !== 'number') return
    const known = collections.get(path) ?? new Map<number, JsonObject>()
    collections.set(path, known.set(record.id, { ...known.get(record.id), ...record }))
  }
  for (const { method, url, status, response } of exchanges) {
    if (status >= 300 || method === 'DELETE' || !isObject(response)) continue
    const path = (url.split('?')[0] ?? '').replace(/\/(\d+)-[^/]*/g, '/$1')
    if (Array.isArray(response.results)) for (const one of response.results.filter(isObject)) add(path, one)
    else add(method === 'POST' ? path : path.replace(/\/[^/]+$/, ''), response)
  }
  return collections
}

/** Answers lists in the order of ids, and records; what was never recorded is an empty list or 404. */
function answer(collections: Collections, { pathname, searchParams }: URL): { status: number; body: object } {
  const [, above = '', id] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  if (id !== undefined) {
    const record = collections.get(above)?.get(Number(id))
    return record
      ? { status: 200, body: record }
      : { status: 404, body: { error: { message: `Resource not found by id '${id}'` } } }
  }
  if (pathname.endsWith('/current_user')) return { status: 404, body: {} }
  const [, after = '0'] = /^id > (\d+)$/.exec(searchParams.get('search') ?? '') ?? []
  const all = [...(collections.get(pathname)?.values() ?? [])].toSorted((a, b) => Number(a.id) - Number(b.id))
  const found = all.filter((one) => Number(one.id) > Number(after))
  const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 20)]
  const results = found.slice((page - 1) * size, page * size)
  return { status: 200, body: { total: all.length, subtotal: found.length, page, per_page: size, results } }
}
