import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium as driver, errors } from 'playwright-core'
import { execFile, spawn } from '../../test/support/processes.ts'

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

/** Whether there is a browser on this machine. */
export const isInstalled = PROGRAM !== undefined

const OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0']

export interface Chromium extends AsyncDisposable {
  readonly browser: Browser
}

let built: Promise<unknown> | null = null

/**
 * Builds the console if its sources have changed, which is asked once by each process, and starts the browser of the system
 * with a separate profile.
 */
export async function startChromium(): Promise<Chromium> {
  built ??= promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts'), '--if-needed'])
  await built
  // It has been seen to listen and never to answer.
  return startOnce(40_000).catch((error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error
    return startOnce(120_000)
  })
}

/** {@throws TimeoutError} when the browser does not answer within so many milliseconds; it is ended then */
async function startOnce(patience: number): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'millwright-browser-'))
  const child = spawn(PROGRAM ?? 'chromium', [...OPTIONS, `--user-data-dir=${profile}`], {
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
