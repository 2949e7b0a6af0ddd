import { sql } from 'kysely'
import { databaseConfig, type Settings } from '../config.ts'
import { connect } from '../database/connect.ts'
import { type Db, rows } from '../database/sql.ts'
import { addKey, type Encryption, encryptionOf, forgetOldKeys, keyFileOf } from '../encryption.ts'
import { createLogger } from '../log.ts'
import { failureSentence } from './failures.ts'

/** Puts a new key in front of the key file and encrypts every stored secret anew with it. Running processes follow. */
export async function rotateKeys({ config }: Settings): Promise<number> {
  try {
    await using database = await connect(databaseConfig(config), createLogger(config))
    const file = keyFileOf(config)
    addKey(file)
    const count = await encryptAnew(database.db, encryptionOf(config))
    forgetOldKeys(file)
    process.stdout.write(`There is a new key in ${file}; ${count} stored secrets are encrypted with it.\n`)
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${failureSentence(error, config)}\n`)
    return 1
  }
}

async function encryptAnew(db: Db, encryption: Encryption): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const stored = await rows<{ id: number; account_password: string }>(
      tx,
      sql`select id, account_password from auth_sources where account_password is not null for update`,
    )
    for (const { id, account_password: old } of stored) {
      const secret = encryption.encrypt(encryption.decrypt(old))
      await sql`update auth_sources set account_password = ${secret} where id = ${id}`.execute(tx)
    }
    return stored.length
  })
}
