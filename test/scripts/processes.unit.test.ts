import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endProcesses, spawn } from '../support/processes.ts'

const PROCESSES = join(import.meta.dirname, '../support/processes.ts')
/** Prints its process id and that of its child, and waits for hours. */
const SHELL = 'sleep 9999 & echo $$ $!; wait'

describe('what a test has started', () => {
  test.each([
    ['spawn', `spawn('sh', ['-c', SHELL], { stdio: 'inherit' })`, 2],
    ['execFile', `execFile('sh', ['-c', 'echo $$; exec sleep 9999']).stdout.pipe(process.stdout)`, 1],
    [
      'a program that has ended before what it started',
      `spawn('sh', ['-c', 'sleep 9999 & echo $!'], { stdio: 'inherit' })`,
      1,
    ],
    ...(existsSync('/usr/bin/setpriv')
      ? ([
          ['execFileSync', `execFileSync('sh', ['-c', 'echo $$ started; exec sleep 9999'], { stdio: 'inherit' })`, 1],
        ] as const)
      : []),
  ] as const)('by %s ends with its process, however that ends', async (_name, start, count) => {
    const script = `
      import { execFile, execFileSync, spawn } from ${JSON.stringify(PROCESSES)}
      const SHELL = ${JSON.stringify(SHELL)}
      setTimeout(() => undefined, 60_000)
      ${start}
      console.log('started')`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const started = await printed(parent.stdout, count)
    expect(started.filter(isAlive)).toEqual(started)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })

  test('ends after its file, whatever has become of the test', async () => {
    const started = await printed(spawn('sh', ['-c', `echo started; ${SHELL}`]).stdout, 2)
    expect(started.filter(isAlive)).toEqual(started)
    endProcesses()
    await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })
})

/** Yields the printed process ids, once the program says that it continues. */
async function printed(output: NodeJS.ReadableStream, count: number): Promise<number[]> {
  let text = ''
  for (;;) {
    const ids = (text.match(/\d+(?=\s)/g) ?? []).map(Number)
    if (ids.length === count && text.includes('started')) return ids
    text += String((await once(output, 'data'))[0])
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
