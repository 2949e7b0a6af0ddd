import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Does the work of a request while its connection may be silent. */
type WaitForWork = (request: FastifyRequest, work: () => Promise<void>) => Promise<void>

/**
 * Lets connections stay silent for any time while one of their requests is worked on, because the client waits then. At
 * other times they are closed after this many silent milliseconds.
 */
export function createWaitForWork(milliseconds: number): WaitForWork {
  // Clients may send several requests on one connection before they have read the answers.
  const working = new WeakMap<Socket, number>()
  return async ({ raw: { socket } }, work) => {
    // A request that did not come over a network has no socket of this class.
    if (!(socket instanceof Socket)) return work()
    working.set(socket, (working.get(socket) ?? 0) + 1)
    socket.setTimeout(0)
    try {
      await work()
    } finally {
      const left = (working.get(socket) ?? 1) - 1
      working.set(socket, left)
      if (left === 0) socket.setTimeout(milliseconds)
    }
  }
}
