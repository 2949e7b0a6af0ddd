import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { execFileSync } from '../support/processes.ts'
import { type Program, ready, run, start } from './program.ts'

const directory = mkdtempSync(join(tmpdir(), 'millwright-lifecycle-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const ADMIN = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }

function started(args: readonly string[], env: Record<string, string> = {}): Program {
  const program = start(['--port', '0', ...args], directory, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}

test('the first start prints what is needed for a first request', async () => {
  const program = started(['--data-dir', 'first'])
  const address = await ready(program)
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(program.stdout()).toMatch(/^ {2}Address +\S+ +\(open it in a browser\)$/m)
  expect((await fetch(address)).headers.get('content-type')).toMatch(/^text\/html/)
  expect(program.stdout()).toMatch(/^ {2}Login +admin$/m)
  expect(program.stdout()).toMatch(/^ {2}Password +\S+ +\(shown only this once\)$/m)

  const { url, credentials } = curlArguments(program)
  expect(url).toBe(`${address}/api/architectures`)
  const answer = await fetch(url, { headers: { authorization: `Basic ${btoa(credentials)}` } })
  expect(answer.status).toBe(200)
  expect(program.stderr()).not.toContain(credentials.slice(credentials.indexOf(':') + 1))
})

test('a second process is refused on the same directory, and another one on the same port', async () => {
  const program = started([], ADMIN)
  const port = new URL(await ready(program)).port
  expect(program.stdout()).toMatch(/^ {2}Password +the one you configured$/m)

  const second = await run(['--port', '0'], directory, ADMIN)
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toMatch(/^millwright: The data directory \S+\/data is in use by process \d+: .*$/m)
  expect(second.stderr).not.toMatch(/^ +at /m)

  const third = await run(['--port', port, '--data-dir', 'other'], directory, ADMIN)
  expect(third).toMatchObject({ code: 1, stdout: '' })
  expect(third.stderr).toBe(
    `millwright: port ${port} on 127.0.0.1 is in use by another program: stop that one, or choose another port with --port (0 picks a free one)\n`,
  )
  program.process.kill('SIGINT')
  expect(await program.ended).toBe(0)
})

test('a host name that nobody knows ends the start with a sentence that says which, and where to choose another', async () => {
  const lost = await run(['--host', 'nowhere.invalid', '--port', '0', '--data-dir', 'lost'], directory, ADMIN)
  expect(lost).toMatchObject({ code: 1, stdout: '' })
  expect(lost.stderr).toMatch(
    /^millwright: the host name nowhere\.invalid is not known: choose another one with --host$/m,
  )
})

test('SIGTERM lets a request in flight finish, and what it wrote is there after the next start', async () => {
  const program = started([], ADMIN)
  const request = await halfRequest(await ready(program))

  program.process.kill('SIGTERM')
  program.process.kill('SIGTERM') // as when npm hands on what the terminal has sent already
  await logged(program, 'stopping')
  request.finish()
  expect(await request.answer).toMatch(/^HTTP\/1\.1 201 /)
  expect(await program.ended).toBe(0)

  const next = started([], ADMIN)
  const found = await fetch(`${await ready(next)}/api/architectures?search=name%3Din-flight`, {
    headers: authorization(),
  })
  expect(await found.json()).toMatchObject({ subtotal: 1 })
  expect(next.stdout()).not.toContain('Password')
})

test('SIGTERM under load answers each request or refuses it whole', async () => {
  const program = started(['--data-dir', 'loaded', '--shutdown-timeout', '2m'], ADMIN)
  const address = await ready(program)
  const stored: string[] = []
  const others: string[] = []
  const write = async (lane: number) => {
    for (let at = 0; ; at++) {
      const name = `load-${lane}-${at}`
      // Each on a connection of its own, so that none is sent on one that ends at that moment.
      const status = await postAlone(`${address}/api/architectures`, { architecture: { name } })
      if (status === 201) stored.push(name)
      else if (status !== 503) others.push(`${name} ${status}`)
      if (typeof status === 'string') return
    }
  }
  const writing = Promise.all(Array.from({ length: 30 }, (_, lane) => write(lane)))
  while (stored.length < 60) await wait(10)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await writing
  expect(others.filter((other) => !/ (?:ECONNREFUSED|ECONNRESET)$/.test(other))).toEqual([])
  expect(others).toHaveLength(30)

  const next = started(['--data-dir', 'loaded'], ADMIN)
  const found = await fetch(`${await ready(next)}/api/architectures?per_page=all&search=name+~+load-`, {
    headers: authorization(),
  })
  const { results } = (await found.json()) as { results: { name: string }[] } // a list
  expect(results.map(({ name }) => name).sort()).toEqual(stored.sort())
}, 240_000)

test('a request that never ends holds a stop for the shutdown timeout only', async () => {
  const program = started(['--shutdown-timeout', '400ms'], ADMIN)
  await halfRequest(await ready(program))
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(1)
  expect(program.stderr()).toContain('stopped with requests unfinished after the shutdown timeout')
})

test('a second signal stops at once', async () => {
  const program = started(['--shutdown-timeout', '1m'], ADMIN)
  await halfRequest(await ready(program))
  program.process.kill('SIGINT')
  await wait(400)
  program.process.kill('SIGINT')
  expect(await program.ended).toBe(1)
  expect(program.stderr()).toContain('stopped at once by a second signal')
})

test('migrate brings a new database to the newest schema, once', async () => {
  const first = await run(['migrate', '--data-dir', 'migrated'], directory)
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied migrations? 0001\b.*\.\n$/) })
  const again = await run(['migrate', '--data-dir', 'migrated'], directory)
  expect(again).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' })
})

test('a database that does not answer is a sentence, without the password', async () => {
  const env = { DATABASE_URL: 'postgresql://somebody:hunter2@127.0.0.1:1/millwright' }
  const { code, stdout, stderr } = await run(['--database-wait', '0s'], directory, env)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('millwright: the database at 127.0.0.1:1/millwright cannot be used: nothing answers there')
  expect(stderr).not.toMatch(/hunter2|^ +at /m)
})

/** What a shell makes of the printed line, so that its quoting counts. */
function curlArguments(program: Program): { credentials: string; url: string } {
  const line = /^ {2}(curl .*)$/m.exec(program.stdout())?.[1]
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`
  const [, credentials = '', url = ''] = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
  return { credentials, url }
}

/** A request whose second half is sent when asked: until then it is in flight. */
async function halfRequest(address: string): Promise<{ finish: () => void; answer: Promise<string> }> {
  const { hostname, port, host } = new URL(address)
  const body = JSON.stringify({ architecture: { name: 'in-flight' } })
  const head = [
    'POST /api/architectures HTTP/1.1',
    `Host: ${host}`,
    `Authorization: ${authorization().authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue', // the server says so once it has begun with the request
    '\r\n',
  ].join('\r\n')
  const socket = connect(Number(port), hostname)
  const answer = received(socket)
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve())
    socket.write(head)
  })
  socket.write(body.slice(0, 10))
  return { finish: () => void socket.write(body.slice(10)), answer }
}

/** The status, or the code of the error where no answer came. */
async function postAlone(url: string, body: object): Promise<number | string> {
  const headers = { ...authorization(), 'content-type': 'application/json' }
  const asking = request(url, { method: 'POST', agent: false, headers }).end(JSON.stringify(body))
  try {
    const [answer] = await once(asking, 'response')
    answer.resume()
    await once(answer, 'end')
    return Number(answer.statusCode)
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  await new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
  return text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
}

async function logged(program: Program, message: string): Promise<void> {
  while (!program.stderr().includes(message)) await wait(10)
}

function authorization(): { authorization: string } {
  return { authorization: `Basic ${btoa('admin:correct horse')}` }
}
