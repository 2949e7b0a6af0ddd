import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger, formatReadableLine } from '../../src/log.ts'

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
