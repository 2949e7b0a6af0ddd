/** Tags of DER (X.690), the encoding of certificates. */
export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  directoryName: 0xa4,
} as const

/** Encodes a value in DER: tag, length and contents. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** Encodes a length (X.690 8.1.3): short ones as a byte, long ones behind the number of their bytes. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}
