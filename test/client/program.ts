import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { main } from '../../src/client/main.ts'
import { spawn } from '../support/processes.ts'

/** What a run of the command line came to. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The Node of the machine where it has one, because the client runs on older ones than the service does. */
const NODE = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath

/** Runs `bin/millwright.js` as a person does, without this test run's own environment; `read` gets its output so far. */
export async function millwright(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
  read: (stdout: string) => void = () => undefined,
): Promise<Ended> {
  const { PATH } = process.env
  const child = spawn(NODE, [resolve('bin/millwright.js'), ...args], {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk
      if (name === 'stdout') read(texts.stdout)
    })
  }
  child.stdin?.on('error', () => undefined) // it may not read
  child.stdin?.end(input)
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...texts } // the first argument of the event
}

/** The same in this process, for many commands one after the other. */
export async function millwrightHere(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const texts = { stdout: '', stderr: '' }
  stdout.on('data', (chunk) => {
    texts.stdout += chunk
  })
  stderr.on('data', (chunk) => {
    texts.stderr += chunk
  })
  stdin.end()
  const code = await main(words, env, { stdin, stdout, stderr } as never) // terminals are more than streams, and not asked for
  return { code, ...texts }
}

/** The words of a command as a shell takes them apart. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [whole] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    words.push(whole.replace(/"([^"]*)"|'([^']*)'/g, (_, double = '', single = '') => double || single))
  }
  return words
}
