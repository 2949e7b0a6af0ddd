import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, databaseConfigOf } from '../../config/config.ts'
import type { Database } from '../../database/database.ts'
import { keyFileOf } from '../../encryption/encryption.ts'
import { Failure } from '../../errors.ts'
import { syncFolder } from '../../lib/sync-folder.ts'
import { connect } from '../../postgresql/connect.ts'
import type { Workplace } from '../workplace.ts'
import { dump } from './dump.ts'
import type { Header } from './lines.ts'
import { type Sealed, seal, unseal } from './sealed.ts'

/** Whether the file of encryption keys is included, encrypted with a passphrase. */
export type Keys = { readonly passphrase: string } | 'left out'

/** Makes a backup of the database of a workplace, as it is now. */
export async function* writeBackup(at: Workplace, keys: Keys): AsyncGenerator<Uint8Array> {
  const sealed = await sealKeys(at.config, keys)
  yield* dump(at.database, sealed, at.log)
}

async function sealKeys(config: Config, keys: Keys): Promise<Sealed | null> {
  const file = keyFileOf(config)
  return keys === 'left out' || !existsSync(file) ? null : seal(readFileSync(file, 'utf8'), keys.passphrase)
}

/** The key file that was placed from a backup because the configuration had none. */
export interface PlacedKeys {
  /** The path of the file; null where the backup has no keys. */
  readonly file: string | null
  /** Removes the file again, unless it was there before. */
  readonly remove: () => void
}

/**
 * Writes the keys of a backup to the key file of the configuration. {@throws Failure} when other keys are there, or the
 * passphrase is wrong
 */
export async function placeKeys(config: Config, { keys }: Header, passphrase: string | null): Promise<PlacedKeys> {
  if (keys === null) return { file: null, remove: () => undefined }
  if (passphrase === null)
    throw new Failure('unavailable', 'The backup has encryption keys: set MILLWRIGHT_BACKUP_PASSPHRASE to open them')
  const text = await unseal(keys, passphrase)
  const file = keyFileOf(config)
  if (existsSync(file)) {
    if (readFileSync(file, 'utf8') === text) return { file, remove: () => undefined }
    throw new Failure(
      'unavailable',
      `There are other encryption keys in ${file}: move that file away, or name another one`,
    )
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true })
  syncFolder(dirname(file))
  return { file, remove: () => rmSync(file, { force: true }) }
}

/** Opens the database of a configuration to restore into it; `undo` removes the files of a new one in the data directory. */
export async function openTarget(
  config: Config,
  log: Workplace['log'],
): Promise<{ database: Database; undo: () => void }> {
  const files = config.databaseUrl === null && config.dataDir !== 'memory' ? config.dataDir : null
  const isNew = files !== null && !existsSync(`${files}/postgresql`)
  const wasThere = files !== null && existsSync(files)
  const database = await connect(databaseConfigOf(config), log)
  const undo = () => {
    if (files === null || !isNew) return
    for (const name of wasThere ? ['postgresql', 'libraries', 'owner', 'lock'] : [''])
      rmSync(`${files}/${name}`, { recursive: true, force: true })
  }
  return { database, undo }
}
