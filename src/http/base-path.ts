import type { FastifyInstance, FastifyRequest } from 'fastify'
import { setHeader } from './header-values.ts'

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
