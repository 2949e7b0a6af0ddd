import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'docs/console'
/** When this picture is missing, all are taken. */
const ONE_OF_THEM = 'dashboard-light.webp'

/**
 * Takes the pictures of the console's guide, in a browser on a service with a small example site, where there is a browser.
 * They show the day on which they were taken and therefore always differ: they are not compared, and only taken when they
 * are missing or on request.
 */
export function takePictures({ anew }: { readonly anew: boolean }): void {
  if (!anew && existsSync(join(FOLDER, ONE_OF_THEM))) return
  const words = ['node_modules/vitest/vitest.mjs', 'run', 'web/test/looks', '--project', 'database']
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, PICTURES: FOLDER } })
  if (status !== 0) process.exitCode = 1
}
