import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Lets connections stay silent for any time while one of their requests is worked on, because the client waits then. At
 * other times they are closed after this many silent milliseconds.
 */
export function waitForWork(server: FastifyInstance, milliseconds: number): void {
  // Clients may send several requests on one connection before they have read the answers.
  const working = new WeakMap<Socket, Set<FastifyRequest>>()
  server.addHook('preHandler', (request, _reply, done) => {
    const { socket } = request.raw
    // A request that did not come over a network has no socket of this class.
    if (socket instanceof Socket) {
      working.set(socket, (working.get(socket) ?? new Set()).add(request))
      socket.setTimeout(0)
    }
    done()
  })
  server.addHook('onSend', (request, _reply, _payload, done) => {
    const { socket } = request.raw
    if (socket instanceof Socket) {
      working.get(socket)?.delete(request)
      if (!working.get(socket)?.size) socket.setTimeout(milliseconds)
    }
    done()
  })
}
