import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'docs/console'
/** Whichever is missing, all are made. */
const ONE_OF_THEM = 'dashboard-light.png'

/**
 * Takes the pictures of the guide to the console, in a browser on a service with a small site in it, where there is a browser.
 * They show the day on which they were taken, so that no two of them are the same: nobody compares them, and they are taken
 * anew only when they are missing or somebody asks for it.
 */
export function takePictures({ anew }: { readonly anew: boolean }): void {
  if (!anew && existsSync(join(FOLDER, ONE_OF_THEM))) return
  const words = ['node_modules/vitest/vitest.mjs', 'run', 'web/test/looks', '--project', 'pglite']
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, PICTURES: FOLDER } })
  if (status !== 0) process.exitCode = 1
}
