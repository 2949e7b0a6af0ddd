/**
 * Checks the structure of messages from servers (RFC 4511 §4) before the client library sees them: a length that points past
 * the end of its message makes the library loop until memory is used up.
 */

/** One value in ASN.1's basic encoding: its tag, and where its contents begin and end. */
interface Element {
  readonly tag: number
  readonly start: number
  readonly end: number
}

const INTEGER = 0x02
const OCTETS = 0x04
const ENUMERATED = 0x0a
const BOOLEAN = 0x01
const SEQUENCE = 0x30
const SET = 0x31
const CONTROLS = 0xa0

const BIND_RESPONSE = 0x61
const SEARCH_ENTRY = 0x64
const SEARCH_DONE = 0x65
const SEARCH_REFERENCE = 0x73
const EXTENDED_RESPONSE = 0x78

/** What the stream needs to know of a message that was checked. */
export interface CheckedMessage {
  /** The result code of a message that ends a search; null for other messages. */
  readonly searchResult: number | null
}

/** Checks that the bytes are one whole message of a kind that answers our requests; null when they are not. */
export function checkMessage(bytes: Buffer): CheckedMessage | null {
  const operation = operationOf(bytes)
  if (!operation) return null
  const [code] = operation.tag === SEARCH_DONE ? (parseElements(bytes, operation) ?? []) : []
  return { searchResult: code ? bytes.readIntBE(code.start, code.end - code.start) : null }
}

function operationOf(bytes: Buffer): Element | null {
  const [message, ...surplus] = parseElements(bytes, { tag: 0, start: 0, end: bytes.length }) ?? []
  if (message?.tag !== SEQUENCE || surplus.length > 0) return null
  const [id, operation, controls, ...rest] = parseElements(bytes, message) ?? []
  if (!id || !operation || rest.length > 0) return null
  if (!isNumber(id, INTEGER) || !isOperation(bytes, operation)) return null
  return controls && !isControls(bytes, controls) ? null : operation
}

function isOperation(bytes: Buffer, operation: Element): boolean {
  switch (operation.tag) {
    case SEARCH_ENTRY:
      return isEntry(bytes, operation)
    case SEARCH_REFERENCE:
      return testEvery(bytes, operation, ({ tag }) => tag === OCTETS)
    case BIND_RESPONSE:
    case SEARCH_DONE:
    case EXTENDED_RESPONSE: {
      const [code, matched, text] = parseElements(bytes, operation) ?? []
      return code !== undefined && isNumber(code, ENUMERATED) && matched?.tag === OCTETS && text?.tag === OCTETS
    }
    default:
      return false
  }
}

function isEntry(bytes: Buffer, operation: Element): boolean {
  const [name, attributes, ...rest] = parseElements(bytes, operation) ?? []
  if (name?.tag !== OCTETS || attributes?.tag !== SEQUENCE || rest.length > 0) return false
  return testEvery(bytes, attributes, (attribute) => {
    const [type, values, ...more] = attribute.tag === SEQUENCE ? (parseElements(bytes, attribute) ?? []) : []
    if (type?.tag !== OCTETS || values?.tag !== SET || more.length > 0) return false
    return testEvery(bytes, values, ({ tag }) => tag === OCTETS)
  })
}

function isControls(bytes: Buffer, controls: Element): boolean {
  if (controls.tag !== CONTROLS) return false
  return testEvery(bytes, controls, (control) => {
    const [type, ...rest] = control.tag === SEQUENCE ? (parseElements(bytes, control) ?? []) : []
    const value = rest[0] && isNumber(rest[0], BOOLEAN) ? rest.slice(1) : rest
    return type?.tag === OCTETS && value.length <= 1 && value.every(({ tag }) => tag === OCTETS)
  })
}

function isNumber({ tag, start, end }: Element, wanted: number): boolean {
  return tag === wanted && end > start && end - start <= 4
}

function testEvery(bytes: Buffer, within: Element, test: (element: Element) => boolean): boolean {
  return parseElements(bytes, within)?.every(test) ?? false
}

/** Yields the elements within an element; null when it does not consist of whole elements. */
function parseElements(bytes: Buffer, { start, end }: Element): Element[] | null {
  const found: Element[] = []
  for (let at = start; at < end; ) {
    if (end - at < 2) return null
    const tag = bytes.readUInt8(at)
    const short = bytes.readUInt8(at + 1)
    const size = short < 0x80 ? 0 : short & 0x7f
    if (size > 4 || (size === 0 && short >= 0x80) || at + 2 + size > end) return null
    const from = at + 2 + size
    const length = size === 0 ? short : bytes.readUIntBE(at + 2, size)
    if (length > end - from) return null
    found.push({ tag, start: from, end: from + length })
    at = from + length
  }
  return found
}
