import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { setHeader } from '../listeners/header-values.ts'

const compress = promisify(gzip)
/**
 * The paths that are compressed: the description of the API, which has millions of characters, and the pages below `/docs`.
 * Frequent requests are answered uncompressed.
 */
const COMPRESSED = /^\/(?:docs(?:\/|$)|api\/openapi\.json$)/
/** The number of characters from which compressing an answer pays. */
const LEAST = 1000

/** Compresses the description of the API and the guides for clients that accept it, once for each version of the content. */
export function compressDescriptions(server: FastifyInstance): void {
  const known = new Map<string, { readonly text: string; readonly bytes: Promise<Buffer> }>()
  server.addHook('onSend', ({ routeOptions: { url = '' }, headers }, reply, payload, done) => {
    if (!COMPRESSED.test(url) || typeof payload !== 'string' || payload.length < LEAST) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!takesGzip(String(headers['accept-encoding'] ?? ''))) return done(null, payload)
    const last = known.get(url)
    const found = last?.text === payload ? last : { text: payload, bytes: compress(payload) }
    known.set(url, found)
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string' && etag.startsWith('"')) setHeader(reply, 'etag', `W/${etag}`)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    found.bytes.then((bytes) => done(null, bytes), done)
  })
}

function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((each) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(each))
}
