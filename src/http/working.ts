import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Lets connections stay silent for any time while a request of theirs is worked on, whichever route it is of: then it is the
 * client who waits. Before and after that they may for so many milliseconds.
 */
export function waitForWork(server: FastifyInstance, milliseconds: number): void {
  // Several requests of a connection may be worked on at a time: clients send some before they have read the last answer.
  const working = new WeakMap<Socket, Set<FastifyRequest>>()
  server.addHook('preHandler', (request, _reply, done) => {
    const { socket } = request.raw
    // A request that came without a network has no such connection.
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
