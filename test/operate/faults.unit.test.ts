import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PROGRAM, type Program, programOf, ready, run, start } from '../cli/program.ts'
import { canMount, fill } from '../support/disks.ts'
import { spawn } from '../support/processes.ts'

const namespaces = canMount('small and read-only disks')
const folder = mkdtempSync(join(tmpdir(), 'millwright-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// On a busy machine statements are slow, which is a warning, too, but not what these tests are about.
const ENV = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_SLOW_QUERY: '1h' }
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

/** Where a checkout keeps what makes starts faster. */
const CACHE = resolve('node_modules/.cache/millwright')

/** The program on disks that `mount` makes; afterwards it says what is left on them. */
function onDisk(mount: string, args: readonly string[]): Program {
  const command = [resolve('node_modules/.bin/node'), PROGRAM, ...args]
  const script = `${mount} && { "$@"; code=$?; ls disk/data/postgresql disk/*.backup* 2>/dev/null; exit $code; }`
  const { PATH, HOME } = process.env
  const options = { cwd: folder, env: { PATH, HOME, ...ENV } }
  const program = programOf(spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', ...command], options))
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}

/** What stores a record of so many bytes and remembers that it was acknowledged, and what lists them. */
function records(address: string) {
  const stored: string[] = []
  const store = async (name: string, bytes = 200_000) => {
    const ptable = { name, layout: randomBytes(bytes / 2).toString('hex') }
    const answer = await fetch(`${address}/api/ptables`, { method: 'POST', headers, body: JSON.stringify({ ptable }) })
    if (answer.status === 201) stored.push(name)
    return answer
  }
  const names = async () => {
    const list = await fetch(`${address}/api/ptables?per_page=all`, { headers })
    const { results } = (await list.json()) as { results: { name: string }[] } // a list
    return results.map(({ name }) => name)
  }
  return { stored, store, names }
}

describe.skipIf(!namespaces)('a disk', () => {
  mkdirSync(join(folder, 'disk'))
  const MOUNT = 'mount -t tmpfs -o size=110m tmpfs disk'

  test('with little room is named by doctor', async () => {
    const program = onDisk('mount -t tmpfs -o size=20m tmpfs disk', ['doctor', '--data-dir', 'disk'])
    expect(await program.ended).toBe(1) // there is no database
    expect(program.stdout()).toMatch(/^warning +Disk\n +20 MiB are free in\s+\S+disk\.\n +What to do: Make room: /m)
  }, 60_000)

  test('that is full refuses what cannot be stored, and goes on with all that was once there is room', async () => {
    const program = onDisk(MOUNT, ['--port', '0', '--data-dir', 'disk/data'])
    const address = await ready(program)
    const { stored, store, names } = records(address)
    expect((await store('before')).status).toBe(201)
    const filler = join(`/proc/${program.process.pid}/root`, folder, 'disk/filler')
    fill(filler)
    let refused = await store('full 0')
    for (let at = 1; refused.status === 201 && at < 200; at++) refused = await store(`full ${at}`)
    expect({ status: refused.status, again: refused.headers.get('retry-after') }).toEqual({ status: 503, again: '2' })
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringMatching(/disk of .* is full/) } })

    rmSync(filler)
    await vi.waitFor(async () => expect((await store('after')).status).toBe(201), 60_000)
    expect(await names()).toEqual(expect.arrayContaining(stored))
  }, 240_000)

  test('that fills during a restore leaves it as it was, and is named', async () => {
    expect(await run(['migrate', '--data-dir', 'source'], folder, ENV)).toMatchObject({ code: 0 })
    const made = await run(['backup', 'x.backup', '--without-keys', '--data-dir', 'source'], folder, ENV)
    expect(made).toMatchObject({ code: 0 })
    const sized = (size: string) => `mount -t tmpfs -o size=${size} tmpfs disk`
    // Without the template of a database, its files are made by PostgreSQL.
    const withoutTemplate = `mkdir -p ${CACHE} && mount -t tmpfs tmpfs ${CACHE}`
    for (const mount of [sized('1m'), sized('42m'), `${sized('20m')} && ${withoutTemplate}`]) {
      const program = onDisk(mount, ['restore', 'x.backup', '--data-dir', 'disk/data'])
      expect(await program.ended).toBe(1)
      expect(program.stderr()).toMatch(/disk of .* is full|no space left on device/i)
      expect(program.stdout()).toBe('')
    }
  }, 240_000)

  test('that fills during a backup is named, and no file is left', async () => {
    expect(await run(['migrate', '--data-dir', 'small'], folder, ENV)).toMatchObject({ code: 0 })
    const backup = ['backup', 'disk/y.backup', '--without-keys', '--data-dir', 'small']
    const program = onDisk('mount -t tmpfs -o size=4k tmpfs disk', backup)
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toContain('The backup could not be made: the disk is full')
    expect(program.stdout()).toBe('')
  }, 240_000)

  test('that is read-only ends the start with a sentence that names the directory', async () => {
    const mount = 'mount -t tmpfs tmpfs disk && mkdir disk/data && mount -o remount,ro disk'
    const program = onDisk(mount, ['--port', '0', '--data-dir', 'disk/data'])
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toMatch(/^millwright: The data directory \S+ cannot be used: /m)
  }, 180_000)
})

/** How many files a process may have open; Node takes as many as it may. */
function openFiles(): number {
  return Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
}

test('ten thousand connections, slow readers and slow senders hold up nobody', async () => {
  const program = start(['--port', '0', '--request-timeout', '2s', '--data-dir', 'data'], folder, ENV)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const { hostname, port, origin } = new URL(await ready(program))
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const open = async (send: string) => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(send)
    return socket
  }
  const hosts = async () => (await fetch(`${origin}/api/hosts`, { headers })).status

  // As many as may wait to be accepted at a time. Whoever may open few files lets fewer come.
  const most = Math.min(10_000, openFiles() - 500)
  if (most < 10_000) console.log(`of ten thousand connections ${most} are opened: ulimit -n says so`)
  while (sockets.length < most) {
    await Promise.all(Array.from({ length: Math.min(250, most - sockets.length) }, () => open('')))
  }
  expect(await hosts()).toBe(200)
  const senders = await Promise.all(
    Array.from({ length: 200 }, () =>
      open('POST /api/architectures HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'),
    ),
  )
  const page = `GET /docs/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`
  const readers = await Promise.all(Array.from({ length: 50 }, () => open(page.repeat(10))))
  for (const reader of readers) reader.pause()
  expect(await hosts()).toBe(200)
  // A client that sends too slowly is disconnected, and everything else goes on.
  await Promise.all(senders.map((sender) => sender.resume().closed || once(sender, 'close')))
  await vi.waitFor(async () => expect(await hosts()).toBe(200))
}, 180_000)
