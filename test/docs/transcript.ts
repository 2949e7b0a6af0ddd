import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile, spawn, spawnSync } from '../support/processes.ts'

/** A command of a transcript, and its output. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** Reads the commands and outputs in all `console` blocks of a Markdown text. */
export function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).flatMap((part) => {
      if (part === '') return []
      const [, command = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*\n)(.*)$/s.exec(part) ?? []
      return [{ command: command.trimEnd(), output: output.trimEnd() }]
    }),
  )
}

/** Replaces what differs between runs by names: times, passwords, tokens, request ids, ports. */
export function comparable(text: string): string {
  return text
    .trimEnd()
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+Z| UTC)/g, '<time>')
    .replace(/\b[a-z2-9]{6}(?:-[a-z2-9]{6}){3}\b/g, '<password>')
    .replace(/mw_[\w-]{48}/g, '<token>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<request>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replace(/bundled, in \S+/g, 'bundled, in <folder>')
    .replace(/"duration_ms": ?"\d+"/g, '"duration_ms":"<n>"')
}

/** A service started like a newcomer does: in an empty folder, on a free port. */
export interface Started extends AsyncDisposable {
  readonly output: string
  readonly address: string
  readonly password: string
}

export async function startAsNewcomer(program: string, args: readonly string[] = []): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-newcomer-'))
  const env = { ...process.env, MILLWRIGHT_PORT: '0', MILLWRIGHT_LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = await untilReady(child)
  return {
    output,
    address: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '',
    password: /Password\s+(\S+)/.exec(output)?.[1] ?? '',
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  let output = ''
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${errors}`)))
    child.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('/api/architectures')) resolve(output)
    })
  })
}

/** Runs a command in bash after these assignments, and yields its output. */
export function runInShell(assignments: readonly string[], command: string): Promise<string> {
  return new Promise((resolve) => {
    const script = [...assignments, command].join('\n')
    execFile('bash', ['-c', script], { timeout: 30_000 }, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
}

/** Tells whether jq is installed, with which the guides shorten answers. {@throws} with CI=true when it is not */
export function hasJq(): boolean {
  if (spawnSync('jq', ['--version']).status === 0) return true
  const missing = 'jq is not installed (.ci/run installs it)'
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the commands of a guide: ${missing}`)
  return false
}
