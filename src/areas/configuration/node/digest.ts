import { hash } from 'node:crypto'

/** A short text that different lists of texts do not share. */
export function computeDigest(parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'base64url')
}
