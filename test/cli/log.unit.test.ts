import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger, formatReadableLine } from '../../src/log.ts'
import { spawn } from '../support/processes.ts'
import { PROGRAM, programOf } from './program.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(
    createLogger(
      { logLevels: { rest: 'info', parts: {} }, logFormat: 'json' },
      { write: (line) => void lines.push(line) },
    ),
  )
  return lines.map((line) => JSON.parse(line))
}

test('an event has a level in words, a time, a message and its facts', () => {
  const [event] = logged((log) =>
    log.child({ request: 'r1' }).warn({ login: 'admin', at: new Date(0) }, 'login refused'),
  )
  expect(event).toMatchObject({
    level: 'warn',
    request: 'r1',
    login: 'admin',
    at: '1970-01-01T00:00:00.000Z',
    msg: 'login refused',
  })
  expect(String(event?.time)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('messages below the level are not logged', () => {
  expect(logged((log) => log.debug('nobody asked'))).toEqual([])
})

test('secrets are masked by name, at any depth', () => {
  const path = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 6 })
  const name = fc.constantFrom(
    'password',
    'account_password',
    'adminPassword',
    'token',
    'Authorization',
    'set-cookie',
    'databaseUrl',
    'secret',
    'csrf',
  )
  fc.assert(
    fc.property(path, name, fc.constantFrom('hunter2', ['hunter2'], { a: 'hunter2' }), (keys, secret, value) => {
      const facts = keys.reduceRight<object>((inner, key, depth) => ({ [key]: depth % 2 ? inner : [inner] }), {
        [secret]: value,
      })
      const events = logged((log) => log.info(facts, 'event'))
      expect(JSON.stringify(events)).not.toContain('hunter2')
      expect(JSON.stringify(events)).toContain('[secret]')
    }),
  )
})

test('an error keeps its code, trace and cause, and loses the values of the row', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (login)=(hunter2) already exists.',
  })
  const [event] = logged((log) => log.error({ err: new Error('save failed', { cause }) }, 'request failed'))
  expect(event?.err).toMatchObject({
    type: 'Error',
    message: 'save failed',
    cause: { code: '23505', message: 'duplicate key' },
  })
  expect(JSON.stringify(event)).not.toContain('hunter2')
})

test('on a terminal an event is one readable line, with the trace below', () => {
  const line = {
    level: 'info',
    time: '2026-03-01T10:20:30.000Z',
    pid: 1,
    hostname: 'h',
    msg: 'listening',
    port: 3000,
    tags: ['a'],
  }
  expect(formatReadableLine(JSON.stringify(line))).toBe('10:20:30 info  listening port=3000 tags=["a"]\n')
  const failed = {
    ...line,
    level: 'error',
    port: undefined,
    tags: undefined,
    err: { message: 'boom', stack: 'Error: boom\n    at x' },
  }
  expect(formatReadableLine(JSON.stringify(failed))).toBe('10:20:30 error listening\n  Error: boom\n    at x\n')
})

test('--log-format says whether the log is read by people or by programs; otherwise a terminal decides', async () => {
  const JSON_LINE = /^\{"level":"warn","time":"[^"]+".*"msg":"waiting for the database"\}\r?$/m
  const TEXT_LINE = /^\d\d:\d\d:\d\d warn {2}waiting for the database .*longestMs=1\r?$/m
  const tried = [
    { terminal: false, flags: '', form: 'json' },
    { terminal: false, flags: ' --log-format text', form: 'text' },
    { terminal: true, flags: ' --log-format auto', form: 'text' },
    { terminal: true, flags: ' --log-format json', form: 'json' },
  ]
  for (const { terminal, flags, form } of tried) {
    const said = await logOfStart(flags, terminal)
    expect(JSON_LINE.test(said), said).toBe(form === 'json')
    expect(TEXT_LINE.test(said), said).toBe(form === 'text')
  }
  expect(await logOfStart(' --log-format xml', false)).toMatch(/--log-format.*(?=.*auto)(?=.*json)(?=.*text)/)
}, 120_000)

/** Yields what a start prints that waits for a database in vain, on a terminal or into a file. */
async function logOfStart(flags: string, terminal: boolean): Promise<string> {
  const command = `${resolve('node_modules/.bin/node')} ${PROGRAM} --port 0 --database-wait 1ms${flags}`
  const [program, ...args] = terminal ? ['script', '-qec', command, '/dev/null'] : ['/bin/sh', '-c', command]
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, DATABASE_URL: 'postgresql://nobody@/none?host=/nowhere' }
  const started = programOf(spawn(program, args, { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] }))
  await started.ended
  return started.stdout() + started.stderr()
}
