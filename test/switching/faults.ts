import type { ServerResponse } from 'node:http'
import type { Fault } from './old-server.ts'

/** A fault of an old server, and what the report has to say of it. */
export interface PlantedFault {
  readonly name: string
  /** The record that it hits, by the path of its answer; false: another one. */
  readonly hits: (url: string, text: string) => boolean
  readonly answer: (response: ServerResponse, text: string) => void
  /** Hits this often; then the server answers well. Absent: always. */
  readonly times?: number
  /** The remark in the report; absent: the record is taken. */
  readonly remark?: { readonly kind: string; readonly reason: RegExp; readonly outcome: string }
}

const json = (response: ServerResponse, text: string, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
const shows = (path: string, name?: string) => (url: string, text: string) =>
  new RegExp(`^/[a-z_/]*${path}/\\d+\\?`).test(url) && (name === undefined || text.includes(`"name":"${name}"`))
const first = (hits: PlantedFault['hits']): PlantedFault['hits'] => {
  let only: string | null = null
  return (url, text) => {
    if (!hits(url, text)) return false
    only ??= url
    return url === only
  }
}
const changed = (change: (record: Record<string, unknown>) => object) => (response: ServerResponse, text: string) =>
  json(response, JSON.stringify({ ...JSON.parse(text), ...change(JSON.parse(text)) }))

/** The faults that import.md knows of old servers, one line each. */
export const FAULTS: readonly PlantedFault[] = [
  {
    name: 'a connection that breaks is tried again',
    hits: (url) => url.startsWith('/api/domains?'),
    answer: (response) => void response.destroy(),
    times: 1,
  },
  {
    name: 'a busy server is asked again',
    hits: first(shows('models')),
    answer: (response) => json(response, '{}', 503),
    times: 2,
  },
  {
    name: 'too many requests are made more slowly',
    hits: first(shows('subnets')),
    answer: (response) => json(response, '{}', 429),
    times: 1,
  },
  {
    name: 'a host that cannot be shown',
    hits: shows('hosts', 'web1.example.test'),
    answer: (response) => json(response, '{"error":{"message":"broken facet"}}', 500),
    remark: { kind: 'host', outcome: 'refused', reason: /it answers 500/ },
  },
  {
    name: 'a record that was deleted meanwhile',
    hits: first(shows('media')),
    answer: (response) => json(response, '{"error":{"message":"not found by id"}}', 404),
    remark: { kind: 'medium', outcome: 'refused', reason: /it answers 404: not found by id/ },
  },
  {
    name: 'an answer that breaks off',
    hits: first(shows('realms')),
    answer: (response, text) => json(response, text.slice(0, -9)),
    remark: { kind: 'realm', outcome: 'refused', reason: /its answer breaks off/ },
  },
  {
    name: 'a page of a proxy instead of a record',
    hits: first(shows('http_proxies')),
    answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
    remark: { kind: 'http_proxy', outcome: 'refused', reason: /answers a page \(text\/html\)/ },
  },
  {
    name: 'a list that cannot be searched by id',
    hits: (url) => url.startsWith('/api/filters?search='),
    answer: (response) => json(response, '{"error":{"message":"Field id not recognized"}}', 400),
  },
  {
    name: 'pages that shift while they are read',
    hits: (url) => url === '/api/filters?page=2&per_page=100',
    answer: (response, text) =>
      json(response, JSON.stringify({ ...JSON.parse(text), results: JSON.parse(text).results.slice(40) })),
    times: 1,
  },
  {
    name: 'a name that our rules refuse',
    hits: first(shows('architectures', 'i386')),
    answer: changed(() => ({ name: 'i386 old' })),
    remark: { kind: 'architecture', outcome: 'refused', reason: /name can't contain spaces/ },
  },
  {
    name: 'a template that our interpreter refuses',
    hits: first(shows('provisioning_templates')),
    answer: changed(() => ({ template: 'one\n<% eval("rm") if %>' })),
    remark: { kind: 'provisioning_template', outcome: 'refused', reason: /line 2/ },
  },
  {
    name: 'groups in a circle',
    hits: shows('usergroups', 'a-inner'),
    answer: (response, text) =>
      json(
        response,
        text.replace('"usergroups":[]', '"usergroups":[{"id":AROUND}]').replace('AROUND', String(circle.around)),
      ),
    remark: { kind: 'usergroup', outcome: 'refused', reason: /cycle|itself|circle|loop/i },
  },
  {
    name: 'two primary interfaces',
    hits: shows('hosts', 'two.example.test'),
    answer: changed(({ interfaces }) => ({
      interfaces: (interfaces as object[]).map((one) => ({ ...one, primary: true })),
    })),
    remark: { kind: 'host', outcome: 'created', reason: /It has 2 primary interfaces; eth0 stays primary/ },
  },
]

/** The group that the circle leads back to. */
export const circle = { around: 0 }

/** Builds the fault of a peer from all of them, and counts how often each has hit. */
export function plant(hits: Map<string, number>): Fault {
  return (url, { text }, response) => {
    const found = FAULTS.find(
      ({ name, hits: isHit, times = Number.POSITIVE_INFINITY }) => isHit(url, text) && (hits.get(name) ?? 0) < times,
    )
    if (!found) return false
    hits.set(found.name, (hits.get(found.name) ?? 0) + 1)
    found.answer(response, text)
    return true
  }
}
