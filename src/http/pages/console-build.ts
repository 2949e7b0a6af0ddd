import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ROOT } from '../../root.ts'

/** The state of the console's build; `percent` is 0 to 100, `reason` the end of what the build has printed. */
export type BuildState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly percent: number; readonly step: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** The build of the console by this process; disposing of it ends the build. */
export interface ConsoleBuild extends Disposable {
  readonly state: () => BuildState
}

const SCRIPT = fileURLToPath(new URL('web/build.ts', ROOT))

/** The folder of a package that only the build needs; without it nothing can be built. */
const TOOL = fileURLToPath(new URL('node_modules/vite', ROOT))
/** The most characters that are kept of why a build failed. */
const MOST_REASON = 2000

/** Stands for the build where none is needed or possible. */
export const NO_BUILD: ConsoleBuild = { state: () => ({ kind: 'none' }), [Symbol.dispose]: () => undefined }

/**
 * Builds the console of a checkout where it is missing or older than its sources, in a process of low priority. A failure
 * does not affect the service.
 */
export function startConsoleBuild(log: Logger): ConsoleBuild {
  if (!existsSync(SCRIPT) || !existsSync(TOOL)) return NO_BUILD
  let state: BuildState = { kind: 'running', percent: 0, step: 'starting' }
  let reason = ''
  const child = spawn(process.execPath, [SCRIPT, '--if-needed'], {
    cwd: fileURLToPath(ROOT),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (failure: string | null) => {
    state = failure === null ? { kind: 'none' } : { kind: 'failed', reason: failure }
    if (failure === null) log.info('console built')
    else log.warn({ reason: failure }, 'console not built')
  }
  child.on('spawn', () => child.pid && giveWay(child.pid))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const [, percent, step = ''] of text.matchAll(/^progress (\d+) (.*)$/gm))
      state = { kind: 'running', percent: Number(percent), step }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(-MOST_REASON)
  })
  child.on('error', (error) => end(error.message))
  child.on('close', (code, signal) => {
    if (signal === null) end(code === 0 ? null : reason.trim() || `it ended with ${code}`)
  })
  return { state: () => state, [Symbol.dispose]: () => void child.kill() }
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

/** Builds the page that browsers get until the console is built; without a script it reloads while the build runs. */
export function buildWaitingPage(state: BuildState): string {
  const { title, text, again } = wordsOf(state)
  const progress =
    state.kind === 'running' ? `<progress max="100" value="${state.percent}" aria-label="Building"></progress>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${again ? '<meta http-equiv="refresh" content="2">' : ''}
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${progress}
${text}
<p>The service itself is ready: <a href="docs">read about the API</a>.</p>
</main>
</body>
</html>
`
}

function wordsOf(state: BuildState): { readonly title: string; readonly text: string; readonly again: boolean } {
  if (state.kind === 'running') {
    const text = `<p>${state.percent} % (${escapeHtml(state.step)}). This page comes again by itself.</p>`
    return { title: 'The console is being built', text, again: true }
  }
  if (state.kind === 'failed') {
    const text = `<p>Build it by hand to see more: <code>npm run build:web</code></p><pre>${escapeHtml(state.reason)}</pre>`
    return { title: 'The console could not be built', text, again: false }
  }
  const text = '<p>Build it with these commands, and load this page again:</p><pre>npm install\nnpm run build:web</pre>'
  return { title: 'The console is not built', text, again: false }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`)
}
