import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { spawn } from '../processes.ts'
import { BEHAVIOURS, type Behaviour, type FaultOptions, type FaultTarget, listen } from './behaviours.ts'
import type { Certificates } from './certificates.ts'
import { onExit } from './server.ts'

/** A peer that misbehaves. */
export interface Fault extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** Yields every byte that clients sent, of all connections in their order. */
  sent(): Buffer
  /** Counts the connections so far. */
  connections(): number
  /** Closes the open connections; new ones are accepted. */
  cut(): void
  stop(): Promise<void>
}

export type FaultName = keyof typeof BEHAVIOURS | 'refuses' | 'never accepts'

/**
 * Starts a peer that misbehaves in one way, in front of the directory or instead of it. Peers expect plain LDAP unless the
 * behaviour says otherwise.
 */
export async function startFault(name: FaultName, target: FaultTarget, options: FaultOptions = {}): Promise<Fault> {
  if (name === 'refuses') return unused()
  if (name === 'never accepts') return neverAccepting()
  return serve(BEHAVIOURS[name], target, options)
}

async function serve(behave: Behaviour, target: FaultTarget, options: FaultOptions): Promise<Fault> {
  const sockets = new Set<Socket>()
  const chunks: Buffer[] = []
  let count = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // it closes next, which is what matters
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer({ noDelay: true }, (client) => {
    count++
    keep(client)
    client.on('data', (chunk) => chunks.push(chunk))
    const dial = (port = target.port) => {
      const upstream = connect(port, target.host)
      keep(upstream)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.end())
      return upstream
    }
    behave(client, { target, options, dial })
  })
  const port = await listen(server)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server.close(), 'close')
    cut()
    await closed
  }
  return {
    host: '127.0.0.1',
    port,
    sent: () => Buffer.concat(chunks),
    connections: () => count,
    cut,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Yields a port on which nothing listens. */
async function unused(): Promise<Fault> {
  const fault = await serve(BEHAVIOURS['closes at once'], NOWHERE, {})
  await fault.stop()
  return fault
}

/**
 * Yields a port whose queue is full, so that further connections are not answered, as at an address without a route, but on
 * every machine. Another process has to fill the queue.
 */
async function neverAccepting(): Promise<Fault> {
  const blocked = spawn(process.execPath, ['--eval', LISTEN_AND_BLOCK], { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => void blocked.kill('SIGKILL')
  const forget = onExit(end)
  const [printed] = await once(blocked.stdout, 'data')
  const port = Number(printed)
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.any(fillers.map((filler) => once(filler, 'connect')))
  await new Promise((resolve) => setTimeout(resolve, 50)) // until the first connections are in the queue
  const stop = async () => {
    forget()
    for (const filler of fillers) filler.destroy()
    if (blocked.exitCode !== null || blocked.signalCode !== null) return
    const exit = once(blocked, 'exit')
    end()
    await exit
  }
  const nothing = { sent: () => Buffer.alloc(0), connections: () => 0, cut: () => {} }
  return { host: '127.0.0.1', port, ...nothing, stop, [Symbol.asyncDispose]: stop }
}

const LISTEN_AND_BLOCK = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

const NOWHERE: FaultTarget = {
  host: '127.0.0.1',
  port: 9,
  tlsPort: 9,
  baseDn: '',
  get certificates(): Certificates {
    throw new Error('Nobody is there to present a certificate')
  },
}
