import { hash } from 'node:crypto'

/** The facts that can be read from a public key in OpenSSH's format. */
export interface PublicKey {
  /** SHA-256 in base64. */
  readonly fingerprint: string
  /** In bits. */
  readonly length: number
}

/** Bits of keys whose kind has a fixed length. */
const LENGTHS: Readonly<Record<string, number>> = {
  'ssh-ed25519': 256,
  'sk-ssh-ed25519@openssh.com': 256,
  'ecdsa-sha2-nistp256': 256,
  'sk-ecdsa-sha2-nistp256@openssh.com': 256,
  'ecdsa-sha2-nistp384': 384,
  'ecdsa-sha2-nistp521': 521,
}

/** Reads a line of `authorized_keys` without options; null when it is malformed (RFC 4253, 6.6). */
export function readPublicKey(text: string): PublicKey | null {
  const [, type = '', encoded = ''] = /^([a-z0-9@.-]+) ([A-Za-z0-9+/]+={0,2})(?: [^\r\n]*)?$/.exec(text) ?? []
  const parts = partsOf(Buffer.from(encoded, 'base64'))
  if (parts?.[0]?.toString('latin1') !== type || parts.length < 2) return null
  const length = type === 'ssh-rsa' ? bitsOf(parts[2]) : LENGTHS[type]
  if (length === undefined) return null
  return { fingerprint: hash('sha256', Buffer.from(encoded, 'base64'), 'base64'), length }
}

/** Splits the content of a key into its length-prefixed parts; null when the last part ends elsewhere than the content. */
function partsOf(content: Buffer): readonly Buffer[] | null {
  const parts: Buffer[] = []
  let at = 0
  while (at + 4 <= content.length) {
    const end = at + 4 + content.readUInt32BE(at)
    if (end > content.length) return null
    parts.push(content.subarray(at + 4, end))
    at = end
  }
  return at === content.length ? parts : null
}

/** The number of bits of a modulus, without the zero byte that marks it as positive. */
function bitsOf(modulus: Buffer | undefined): number | undefined {
  if (modulus === undefined || modulus.length === 0) return undefined
  return BigInt(`0x${modulus.toString('hex')}`).toString(2).length
}
