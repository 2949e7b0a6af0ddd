/** Tags of the distinguished encoding (X.690) that certificates are put together with. */
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

/** One value in the distinguished encoding: its tag, its length, and what it is made of. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** X.690 8.1.3: short lengths as they are, long ones behind the number of their bytes. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}
