import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setHeader } from './listeners/header-values.ts'

/** Yields the URL with one slash in place of several in its path; the query stays as it is. */
export function joinSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') + url.slice(path.length) : url
}

/**
 * Converts `/api/v2/x`, `/api/x/` and `/api/x.json` to `/api/x`, and likewise below `/content/api` (core-api §1, §2.1;
 * content-api §0). `/api/openapi.json` keeps its ending, and other paths and the query stay as they are.
 */
export function canonicalizePath(url: string): string {
  if (!/^\/(?:content\/)?api/.test(url)) return url
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const shorter = path.replace(/^((?:\/content)?\/api)\/v2(?=\/|$)/, '$1').replace(/(?<=[^/])\/$/, '')
  const plain = shorter === '/api/openapi.json' ? shorter : shorter.replace(/(?<=[^/])\.json$/, '')
  return query < 0 ? plain : plain + url.slice(query)
}

/**
 * Yields the path under which the client of a request reaches the service: `configured` behind a web server, which
 * removes this path from requests; `/` for requests that bypass the trusted web server.
 */
export function baseOf(request: FastifyRequest, configured: string): string {
  return request.ips?.length === 1 ? '/' : configured
}

/**
 * Puts that path before each path in headers of answers. So browsers do not send the cookie of a session to the neighbours
 * of the service on the same host, either.
 */
export function mountBase(server: FastifyInstance, configured: string): void {
  if (configured === '/') return
  server.addHook('onSend', (request, reply, payload, done) => {
    const base = baseOf(request, configured)
    for (const [name, path] of HEADERS) {
      const value = reply.getHeader(name)
      if (typeof value === 'string') setHeader(reply.removeHeader(name), name, value.replace(path, base))
    }
    done(null, payload)
  })
}

/** The headers with paths, and where these begin. */
const HEADERS = [
  ['location', /^\/(?!\/)/],
  ['link', /(?<=<)\/(?!\/)/g],
  ['set-cookie', /(?<=; Path=)\//],
] as const

/** Puts it before each path that a page links to. */
export function withBase(html: string, base: string): string {
  return html.replace(/(?<= (?:href|src|action)=")\/(?!\/)/g, base)
}
