import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
/** Two and a half million characters, and the pages that show them; what is asked for again and again is answered as it is. */
const COMPRESSED = /^\/(?:docs(?:\/|$)|api\/openapi\.json$)/
/** Below that nothing is won. */
const LEAST = 1000

/** Compresses the description of the API and the guides for whoever takes that, each once for as long as it stays the same. */
export function compressDescriptions(server: FastifyInstance): void {
  const known = new Map<string, { readonly text: string; readonly bytes: Promise<Buffer> }>()
  server.addHook('onSend', async ({ routeOptions: { url = '' }, headers }, reply, payload) => {
    if (!COMPRESSED.test(url) || typeof payload !== 'string' || payload.length < LEAST) return payload
    reply.header('vary', 'accept-encoding')
    if (!takesGzip(String(headers['accept-encoding'] ?? ''))) return payload
    const last = known.get(url)
    const found = last?.text === payload ? last : { text: payload, bytes: compress(payload) }
    known.set(url, found)
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string' && etag.startsWith('"')) reply.header('etag', `W/${etag}`)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return found.bytes
  })
}

function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((each) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(each))
}
