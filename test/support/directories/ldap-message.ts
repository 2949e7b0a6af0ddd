/** One LDAP message in its encoded form (RFC 4511 §4.1.1). */
export interface LdapMessage {
  readonly id: number
  /** The tag of the operation, see OPERATION. */
  readonly operation: number
  /** The content of the operation, behind its length. */
  readonly content: Buffer
  readonly bytes: Buffer
}

export const OPERATION = {
  bindRequest: 0x60,
  searchRequest: 0x63,
  searchEntry: 0x64,
  searchDone: 0x65,
  extendedRequest: 0x77,
  extendedResponse: 0x78,
} as const

/** Creates a splitter that takes bytes as they come and yields the complete messages. */
export function messageSplitter(): (chunk: Buffer) => LdapMessage[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: LdapMessage[] = []
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      messages.push(parse(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    return messages
  }
}

/** Builds a result, of a search or of an extended request. */
export function resultMessage(id: number, operation: number, code: number, text = '', referral: string[] = []): Buffer {
  const parts = [element(0x0a, Buffer.from([code])), element(0x04, Buffer.alloc(0)), element(0x04, Buffer.from(text))]
  if (referral.length > 0)
    parts.push(element(0xa3, Buffer.concat(referral.map((url) => element(0x04, Buffer.from(url))))))
  return message(id, element(operation, Buffer.concat(parts)))
}

/** Builds an entry without attributes. */
export function entryMessage(id: number, dn: string): Buffer {
  const content = [element(0x04, Buffer.from(dn)), element(0x30, Buffer.alloc(0))]
  return message(id, element(OPERATION.searchEntry, Buffer.concat(content)))
}

/** Builds the notice that the server closes the connection (RFC 4511 §4.4.1). */
export function disconnectionNotice(): Buffer {
  const parts = [Buffer.from([0x0a, 1, 52, 0x04, 0, 0x04, 0]), element(0x8a, Buffer.from('1.3.6.1.4.1.1466.20036'))]
  return message(0, element(OPERATION.extendedResponse, Buffer.concat(parts)))
}

function message(id: number, operation: Buffer): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(id)
  return element(0x30, Buffer.concat([element(0x02, number), operation]))
}

function element(tag: number, content: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt8(tag)
  head.writeUInt8(0x84, 1)
  head.writeUInt32BE(content.length, 2)
  return Buffer.concat([head, content])
}

/**
 * Yields the length of the first element with its header; null while the header is incomplete. Bytes that are not LDAP yield
 * infinity.
 */
function lengthOf(bytes: Buffer): number | null {
  const first = bytes[1]
  if (first === undefined) return null
  if (first < 0x80) return 2 + first
  const count = first & 0x7f
  if (count === 0 || count > 4) return Number.POSITIVE_INFINITY
  return bytes.length < 2 + count ? null : 2 + count + bytes.readUIntBE(2, count)
}

const contentOf = (bytes: Buffer) => {
  const first = bytes[1] ?? 0
  return bytes.subarray(2 + (first < 0x80 ? 0 : first & 0x7f), lengthOf(bytes) ?? 0)
}

function parse(bytes: Buffer): LdapMessage {
  const content = contentOf(bytes)
  const number = contentOf(content)
  const operation = content.subarray(lengthOf(content) ?? 0)
  return {
    id: number.reduce((value, byte) => value * 256 + byte, 0),
    operation: operation[0] ?? 0,
    content: Buffer.from(contentOf(operation)),
    bytes: Buffer.from(bytes),
  }
}
