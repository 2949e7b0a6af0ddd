import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execFileSync } from '../processes.ts'

const RUBY = '/usr/bin/ruby'

/**
 * Tells whether the tools of the configuration engine that read classes are installed; false is reported, and fails with
 * CI=true.
 */
export function hasClassTools(): boolean {
  try {
    execFileSync(RUBY, ['-e', "require 'puppet'; require 'puppet/info_service'"], { stdio: 'ignore' })
    return true
  } catch {
    const missing = `${RUBY} does not have the libraries of puppet-agent (.ci/run installs them)`
    if (process.env.CI === 'true') throw new Error(missing)
    console.log(`skipped: the tests with folders of classes: ${missing}`)
    return false
  }
}

/** Writes manifests by their path below a folder of environments. */
export function writeManifests(folder: string, manifests: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(manifests)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
