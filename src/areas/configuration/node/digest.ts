import { hash } from 'node:crypto'

/** Computes a short text that differs for different lists. */
export function computeDigest(parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'base64url')
}
