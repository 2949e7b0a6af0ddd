import { connect, type Socket } from 'node:net'
import type { Burst, Load } from './processes.ts'

// The load generator, a separate process: keep-alive connections, each of which sends its next request when the last one is
// answered. It handles bytes, because an HTTP client would take more of the two cores than the server.

process.on('message', async (burst: Burst) => {
  process.send?.(await run(burst))
})
process.on('disconnect', () => process.exit())

async function run({ port, requests, connections, seconds }: Burst): Promise<Load> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await open(port)
      while (performance.now() < end) {
        const sent = performance.now()
        const status = await connection.exchange(requests[next++ % requests.length] ?? '')
        if (![200, 201, 304].includes(status))
          throw new Error(`answered ${status} to ${requests[(next - 1) % requests.length]}`)
        latencies.push(performance.now() - sent)
      }
      connection.close()
    }),
  )
  return { requestsPerSecond: (latencies.length * 1000) / (performance.now() - start), latencies }
}

interface Connection {
  /** Sends a request and resolves with the status once the whole answer has arrived. */
  readonly exchange: (request: string) => Promise<number>
  readonly close: () => void
}

async function open(port: number): Promise<Connection> {
  const socket = await openSocket(port)
  let head: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  let missing = -1 // bytes of the body still missing; negative while the head is incomplete
  let status = 0
  let waiting: PromiseWithResolvers<number> | null = null

  socket.on('data', (chunk) => {
    if (missing < 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      missing = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - 4)
      head = Buffer.alloc(0)
    } else missing -= chunk.length
    if (missing > 0) return
    missing = -1
    waiting?.resolve(status)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))

  return {
    exchange(request) {
      waiting = Promise.withResolvers<number>()
      socket.write(request)
      return waiting.promise
    },
    close: () => void socket.destroy(),
  }
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}
