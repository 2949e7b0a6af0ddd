import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium as driver, errors } from 'playwright-core'
import { execFile, spawn } from '../../test/support/processes.ts'

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
/** Chromium without the parts that people see around a page: it takes less of the processor. */
const SHELL = ['/usr/bin/chromium-headless-shell'].find(existsSync)

/** Whether there is a browser on this machine. */
export const isInstalled = (SHELL ?? WHOLE) !== undefined

const OPTIONS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0'],
  // Of more than 200 pages in ten seconds the browser would go to some only in appearance: the address stays as it was.
  '--disable-ipc-flooding-protection',
]

export interface Chromium extends AsyncDisposable {
  readonly browser: Browser
}

let built: Promise<unknown> | null = null

interface StartOptions {
  /** Takes the shell where it is installed. */
  readonly isShell?: boolean
}

/**
 * Builds the console if its sources have changed, which is asked once by each process, and starts the browser of the system
 * with a separate profile.
 */
export async function startChromium({ isShell = false }: StartOptions = {}): Promise<Chromium> {
  built ??= promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts'), '--if-needed'])
  await built
  const program = (isShell ? (SHELL ?? WHOLE) : (WHOLE ?? SHELL)) ?? 'chromium'
  // It has been seen to listen and never to answer.
  return startOnce(program, 40_000).catch((error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error
    return startOnce(program, 120_000)
  })
}

/** {@throws TimeoutError} when the browser does not answer within so many milliseconds; it is ended then */
async function startOnce(program: string, patience: number): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'millwright-browser-'))
  const child = spawn(program, [...OPTIONS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (piece) => {
      text += piece
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`chromium ended: ${text}`)))
  })
  const end = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await ended
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    const browser = await driver.connectOverCDP(endpoint, { timeout: patience })
    return {
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
