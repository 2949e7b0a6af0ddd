import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openOutput } from '../../../src/areas/runs/output.ts'
import { runOnHost } from '../../../src/areas/runs/runners/run.ts'
import type { CommandRunner } from '../../../src/areas/runs/runners/runner.ts'
import { spawn } from '../../support/processes.ts'
import { cancelledAt, isAlive, ran } from './running.ts'

const folder = mkdtempSync(join(tmpdir(), 'command-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running = (command: string[], options: Partial<CommandRunner> = {}): CommandRunner => ({
  kind: 'command',
  command,
  timeoutMs: 20_000,
  ...options,
})
/** Builds a runner for a shell script; the host is its first parameter. */
const script = (text: string, options: Partial<CommandRunner> = {}) => running(['sh', '-c', text, 'script'], options)

describe('a command', () => {
  test('gets the host as its last argument, or where it is asked for', async () => {
    const last = await ran(running(['printf', '%s|', 'a b', '$HOME']), 'web.example.test')
    expect(last.stdout).toBe('a b|$HOME|web.example.test|')
    const placed = await ran(running(['printf', '%s|', '%{host}', 'x%{host}', '%{host}']), 'web.example.test')
    expect(placed.stdout).toBe('web.example.test|x%{host}|web.example.test|')
    expect(placed.outcome).toEqual({
      status: 'succeeded',
      reason: null,
      exitStatus: 0,
      message: null,
      retryable: false,
    })
  })

  test('sees a small environment, an empty input and the root folder', async () => {
    const { stdout } = await ran(script('env | sed "s/=.*//" | sort; cat; pwd'))
    const names = stdout.split('\n').filter((line) => /^[A-Z_]+$/.test(line) && !/^(_|PWD|OLDPWD|SHLVL)$/.test(line))
    expect(names).toEqual(['HOME', 'LANG', 'PATH'])
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('/')
  })

  test('tells its exit status, and which ones mean success is configurable', async () => {
    const failing = script('echo out; echo err >&2; exit 3')
    expect(await ran(failing)).toEqual({
      outcome: {
        status: 'failed',
        reason: 'exited',
        exitStatus: 3,
        message: 'exited with status 3',
        retryable: false,
      },
      stdout: 'out\n',
      stderr: 'err\n',
      service: '',
    })
    const { outcome } = await ran({ ...failing, successStatuses: [0, 3] })
    expect(outcome).toMatchObject({ status: 'succeeded', exitStatus: 3, message: null })
  })

  test('that a signal ends has failed', async () => {
    const { outcome } = await ran(script('kill -9 $$'))
    expect(outcome).toMatchObject({ status: 'failed', reason: 'killed', exitStatus: null, retryable: false })
    expect(outcome.message).toBe('ended by a signal: SIGKILL')
  })

  test('that cannot be started says why', async () => {
    const plain = join(folder, 'plain')
    writeFileSync(plain, '#!/bin/sh\n')
    chmodSync(plain, 0o644)
    const cases = [
      [[join(folder, 'nowhere')], 'command_missing', `the command does not exist on this machine: ${folder}/nowhere;`],
      [['no-such-program'], 'command_missing', 'no-such-program'],
      [['./relative'], 'command_missing', 'by its path from the root'],
      [[], 'command_missing', 'does not exist'],
      [['%{host}'], 'command_missing', '%{host}'],
      [[plain], 'command_not_executable', `is not an executable file: ${plain};`],
      [[folder], 'command_not_executable', 'chmod +x'],
      [['true', 'a\0b'], 'settings', 'NUL in the command'],
      [['true', 'x'.repeat(3_000_000)], 'settings', 'longer than the system allows'],
    ] as const
    for (const [command, reason, message] of cases) {
      const { outcome } = await ran(running([...command]), 'true')
      expect(outcome).toMatchObject({ status: 'failed', reason, exitStatus: null, retryable: false })
      expect(outcome.message).toContain(message)
    }
  })

  test('has a limit of time, after which its whole group is gone', async () => {
    const { outcome, stdout } = await ran(script('sleep 60 & echo $!; wait', { timeoutMs: 300 }))
    expect(outcome).toMatchObject({ status: 'failed', reason: 'timeout', exitStatus: null, retryable: false })
    expect(outcome.message).toBe('timed out after 0.3 s')
    await expect.poll(() => isAlive(Number(stdout))).toBe(false)
  })

  test('passes an error of the writer on, and is stopped', async () => {
    let pid = 0
    const write = (_: string, chunk: Uint8Array | string) => {
      pid = Number(Buffer.from(chunk).toString())
      throw new Error('the disk is full')
    }
    const { signal } = new AbortController()
    const target = { host: 'localhost' }
    await expect(runOnHost(script('echo $$; sleep 60'), target, { signal, write })).rejects.toThrow('the disk is full')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

describe('cancelling', () => {
  test('ends the whole tree, also parts that do not want to', async () => {
    const stubborn = `trap '' TERM; echo $$; (trap '' TERM; sh -c 'echo $$; echo ready; sleep 60'; sleep 60) & wait; sleep 60`
    const { outcome, stdout } = await cancelledAt(script(stubborn), 'ready')
    expect(outcome).toEqual({
      status: 'cancelled',
      reason: null,
      exitStatus: null,
      message: 'cancelled',
      retryable: false,
    })
    const pids = stdout.split('\n').filter((line) => /^\d+$/.test(line))
    expect(pids).toHaveLength(2)
    for (const pid of pids) await expect.poll(() => isAlive(Number(pid))).toBe(false)
  })

  test('lets a command end by itself when it can', async () => {
    const { stdout } = await cancelledAt(
      script(`trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.05; done`),
      'ready',
    )
    expect(stdout).toBe('ready\ntidied\n')
  })

  test('before it begins starts nothing', async () => {
    const file = join(folder, 'started')
    const { outcome } = await ran(running(['touch', file]), 'localhost', { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ status: 'cancelled', retryable: true })
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  test('does not wait for processes that left their command', async () => {
    const { outcome, service, stdout } = await ran(script('sleep 30 & echo $!'))
    process.kill(Number(stdout), 'SIGKILL')
    expect(outcome.status).toBe('succeeded')
    expect(service).toContain('left processes behind')
  })
})

describe('output', () => {
  test('of 1 GB is read to its end and kept in its bounds', async () => {
    const output = openOutput()
    const write = output.push
    const { signal } = new AbortController()
    const runner = running(['sh', '-c', 'yes 0123456789abcde | head -c 1G; echo the end'], { timeoutMs: 120_000 })
    const outcome = await runOnHost(runner, { host: 'localhost' }, { signal, write })
    expect(outcome.status).toBe('succeeded')
    const kept = output.end()?.pieces ?? []
    const own = kept.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)
    const bytes = Buffer.byteLength(own.join(''))
    expect(bytes).toBeLessThanOrEqual(1024 * 1024)
    expect(bytes).toBeGreaterThan((1024 - 16) * 1024)
    expect(own[0]?.startsWith('0123456789abcde\n')).toBe(true)
    expect(own.at(-1)?.endsWith('the end\n')).toBe(true)
    expect(output.leftOut()).toBe(2 ** 30 + 'the end\n'.length - bytes)
  }, 150_000)

  test('comes while the command runs', async () => {
    const { stdout } = await cancelledAt(script('echo first; sleep 60; echo second'), 'first')
    expect(stdout).toBe('first\n')
  })
})

describe('a service that is killed', () => {
  test('takes its commands with it', async () => {
    const module = join(import.meta.dirname, '../../../src/areas/runs/runners/run.ts')
    const service = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { runOnHost } = await import(${JSON.stringify(module)})
       const runner = { kind: 'command', command: ['sh', '-c', 'echo $$; exec sleep 60'], timeoutMs: 60000 }
       const write = (stream, chunk) => process.stdout.write(chunk)
       await runOnHost(runner, { host: 'localhost' }, { signal: new AbortController().signal, write })`,
    ])
    const [printed] = await once(service.stdout, 'data')
    expect(isAlive(Number(printed))).toBe(true)
    service.kill('SIGKILL')
    await expect.poll(() => isAlive(Number(printed)), { timeout: 5_000 }).toBe(false)
  })
})
