import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem, release, totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type Config, describeConfig, type Settings } from '../config/config.ts'
import { SILENT } from '../config/log-levels.ts'
import { readVersion } from '../version.ts'
import { examine } from './examination.ts'
import { formatFailure } from './failures.ts'
import { performHereOrThere } from './operate.ts'

/**
 * Writes a support file that only its owner may read: the configuration without secrets, the findings of `doctor`, and what
 * the database reports about itself. Resolves with 1 after printing the reason of a failure.
 */
export async function collectSupport(settings: Settings, name: string): Promise<number> {
  if (existsSync(name)) return reportFailure(`${name} exists already: name another file`)
  if (!existsSync(dirname(resolve(name))))
    return reportFailure(`there is no folder for ${name}: make it, or name another file`)
  const report = {
    made_at: new Date().toISOString(),
    version: readVersion(),
    machine: {
      node: process.version,
      platform: `${process.platform} ${release()} ${process.arch}`,
      processors: availableParallelism(),
      memory_bytes: { all: totalmem(), free: freemem() },
    },
    configuration: describeConfig(settings)
      .filter(({ from }) => from !== 'default')
      .map(({ key, value, from }) => ({ key, value, from })),
    findings: await examine(settings),
    database: await askDatabase(settings.config),
  }
  try {
    writeFileSync(name, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    return reportFailure(formatFailure(error, settings.config))
  }
  process.stdout.write(
    `The report is in ${name}: read it before you give it to somebody. It has no secrets and no records; host names, paths and\nsizes are in it. Add the log of the service.\n`,
  )
  return 0
}

/** Null when the database cannot be reached; the findings of `doctor` tell why. */
async function askDatabase(config: Config): Promise<object | null> {
  let described: object | null = null
  await performHereOrThere({ ...config, logLevels: SILENT }, 'describe-database', {}, (result) => {
    described = result
  }).catch(() => undefined)
  return described
}

function reportFailure(message: string): number {
  process.stderr.write(`millwright: ${message}\n`)
  return 1
}
