import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** An interface as those servers read it. */
interface RecordedInterface {
  readonly macaddress?: string
  readonly ipaddress?: string
  readonly ipaddress6?: string
  readonly virtual: boolean
  readonly attached_to?: string
  readonly tag?: string
  readonly bridge?: boolean
}

/**
 * The facts of a machine, as far as they say what is compared, and what an existing server makes of them. They come from the
 * Ruby gem `facterdb` (1.27.0 and 3.10.0, Apache-2.0, Vox Pupuli), `file` is their place in it.
 */
export interface RecordedFacts {
  readonly file: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly want: {
    /** Null where that server lost the system. */
    readonly os: {
      readonly name: string
      readonly major: string
      readonly minor: string
      readonly family: string | null
      readonly description: string | null
      readonly release_name: string | null
    } | null
    readonly architecture: string | null
    readonly model: string | null
    readonly interfaces: Readonly<Record<string, RecordedInterface>>
  }
}

/** Reads all recordings, in their order. */
export function recordedFacts(): RecordedFacts[] {
  const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, 'recorded/facts.jsonl.br'))).toString()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
