import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { type Finished, type Program, programOf } from '../cli/program.ts'
import { spawn } from '../support/processes.ts'

/** Somebody who follows a guide: a folder, and a shell in which `millwright` is installed. */
export interface Terminal extends Disposable {
  readonly folder: string
  /** Installs the program of this main file in the place of another one. */
  install(main: string): void
  /** Runs lines in a shell of its own until one of them fails. */
  run(lines: string, env?: Env): Promise<Finished>
  /** Runs lines of which the last one starts a service. */
  start(lines: string, env?: Env): Program
}

type Env = Readonly<Record<string, string>>

/** Reads the `sh` blocks below a heading of a Markdown text. */
export function blocksOf(markdown: string, heading: string): string[] {
  const section = markdown.split(/^##? /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block)
}

/** Opens a terminal in an empty folder; `tools` is a folder of other programs that the guide takes for granted. */
export function openTerminal(main: string, tools: string | null = null): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-terminal-'))
  const programs = join(folder, '.bin')
  mkdirSync(programs)
  const { PATH, HOME } = process.env
  const path = [programs, tools, PATH].filter((each) => each).join(delimiter)
  const started: Program[] = []
  const start = (lines: string, env: Env = {}) => {
    const program = programOf(
      // The service takes the place of the shell, so that signals reach it.
      spawn('bash', ['-ec', lines.replace(/^millwright serve/m, 'exec $&')], {
        cwd: folder,
        env: { PATH: path, HOME, MILLWRIGHT_PORT: '0', MILLWRIGHT_LOG_LEVEL: 'error', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    started.push(program)
    return program
  }
  const terminal: Terminal = {
    folder,
    start,
    install(main) {
      const file = join(programs, 'millwright')
      writeFileSync(file, `#!/bin/sh\nexec ${resolve('node_modules/.bin/node')} ${main} "$@"\n`)
      chmodSync(file, 0o755)
    },
    async run(lines, env) {
      const program = start(lines, env)
      const code = await program.ended
      return { code, stdout: program.stdout(), stderr: program.stderr() }
    },
    [Symbol.dispose]() {
      for (const program of started) program.process.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  terminal.install(main)
  return terminal
}
