import { spawn } from 'node:child_process'
import type { Environment } from './contexts.ts'

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser of this machine: that of `BROWSER`, or the usual one. Where there is none, people open it themselves. */
export function openPage(env: Environment, page: string): void {
  const [command = '', ...args] = env['BROWSER'] ? [env['BROWSER']] : (OPENERS[process.platform] ?? ['xdg-open'])
  const opening = spawn(command, [...args, page], { stdio: 'ignore', detached: true })
  opening.on('error', () => undefined) // there is none: the address was printed
  opening.unref()
}
