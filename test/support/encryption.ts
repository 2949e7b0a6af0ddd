import { encryptionOf } from '../../src/encryption/encryption.ts'

/** Keys that only this process knows, for reading records without hidden values. */
export const UNKNOWN_KEYS = encryptionOf({ encryptionKeyFile: null, databaseUrl: null, dataDir: 'memory' })
