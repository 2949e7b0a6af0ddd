import type { FastifyReply, FastifyRequest } from 'fastify'
import { printExact } from '../database/key-order.ts'
import type { Answer, Route, Stream } from '../requests/route.ts'
import { hasAlready } from '../values.ts'
import { etagOf } from './etag.ts'
import { setHeader, setHeaders } from './header-values.ts'
import { createReadable } from './streaming.ts'

/** Sends a stream and closes the connection behind it: an idle connection would delay the stop of the service. */
function sendStream(request: FastifyRequest, reply: FastifyReply, stream: Stream): void {
  reply.header('connection', 'close').send(request.method === 'HEAD' ? undefined : createReadable(stream.open))
}

/**
 * Sends an answer. The body of a GET has an ETag unless it must not be cached; 304 replaces one that the client has already.
 */
export function sendAnswer(route: Route, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body, headers, stream } = answer
  // A list has set the link to its next page by now, and its handler may yield a link of its own.
  const links = [headers?.link, reply.getHeader('link')].filter((link) => link !== undefined)
  if (headers) setHeaders(reply, headers)
  if (links.length > 1) setHeader(reply, 'link', links.join(', '))
  reply.code(status)
  if (stream) return void sendStream(request, reply, stream)
  if (body === undefined) return void reply.send()
  const text = typeof body === 'string' ? body : printExact(body)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return void reply.send(text)
  const etag = etagOf(route, answer, text)
  if (etag === null) return void reply.send(text)
  setHeader(reply, 'etag', etag)
  reply.header('cache-control', 'max-age=0, private, must-revalidate')
  if (hasAlready(request.headers['if-none-match'], etag))
    return void reply.code(304).removeHeader('content-type').send()
  reply.send(text)
}
