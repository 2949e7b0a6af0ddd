import { createPrivateKey } from 'node:crypto'
import type { RunReason } from './troubles.ts'

/** Why ssh cannot use a private key unattended, as far as its header tells; null when it can. */
export function problemOfKey(privateKey: string): Extract<RunReason, 'key_unreadable' | 'key_encrypted'> | null {
  const pem = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----\s+([\s\S]+?)\s+-----END \1PRIVATE KEY-----/.exec(privateKey)
  if (!pem) return 'key_unreadable'
  const [, kind = '', body = ''] = pem
  if (kind.startsWith('ENCRYPTED') || /^Proc-Type:.*ENCRYPTED/m.test(body)) return 'key_encrypted'
  if (!kind.startsWith('OPENSSH')) return isKey(pem[0]) ? null : 'key_unreadable'
  const bytes = Buffer.from(body, 'base64')
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 'key_unreadable'
  return bytes.subarray(MAGIC.length, MAGIC.length + NO_CIPHER.length).equals(NO_CIPHER) ? null : 'key_encrypted'
}

function isKey(pem: string): boolean {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    return false
  }
}

const MAGIC = Buffer.from('openssh-key-v1\0')
/** The cipher name `none` with its length in front. */
const NO_CIPHER = Buffer.from('\0\0\0\x04none')
