import { createLruCache } from '../lib/lru-cache.ts'
import { readSecretFile } from './file.ts'
import { parseReference, type Reference } from './reference.ts'
import { UnreadableReference } from './unreadable-reference.ts'
import { createVault, type VaultSettings } from './vault.ts'

/** The secrets that others keep. */
export interface References {
  /** Whether the configuration names the source of such references. */
  readonly isConfigured: (kind: Reference['kind']) => boolean
  /** Reads the secret. Not to be called inside of a transaction. {@throws UnreadableReference} */
  readonly read: (text: string) => Promise<string>
}

/** Where secrets are read; null: such references cannot be used. */
interface Sources {
  readonly vault: VaultSettings | null
  readonly directory: string | null
}

/** Secrets are remembered in memory for a minute, failures for a moment: many hosts need the same ones at once. */
const REMEMBERED_MS = 60_000
const FAILED_MS = 2_000
const MOST = 1000

/** Creates the reader of secrets. It stores and logs nothing. */
export function createReferences({ vault, directory }: Sources): References {
  const readVault = vault && createVault(vault)
  const known = createLruCache<string, Promise<string>>(MOST, { ttl: REMEMBERED_MS })
  const readAnew = async (reference: Reference | null) => {
    if (reference?.kind === 'vault' && readVault) return readVault(reference)
    if (reference?.kind === 'file' && directory !== null) return readSecretFile(directory, reference.name)
    throw new UnreadableReference('not_configured')
  }
  return {
    isConfigured: (kind) => (kind === 'vault' ? vault : directory) !== null,
    read: (text) => {
      const found = known.get(text)
      if (found !== undefined) return found
      const reading = readAnew(parseReference(text))
      known.set(text, reading)
      reading.catch(() => known.set(text, reading, { ttl: FAILED_MS }))
      return reading
    },
  }
}

/** No source: for work that reaches no other machine. */
export const NO_REFERENCES: References = createReferences({ vault: null, directory: null })
