import { type LdapMessage, messageSplitter, OPERATION, resultMessage } from '../../support/directories/ldap-message.ts'
import { type Listener, startListener } from '../../support/peers/listener.ts'

/** Starts a directory that accepts every login, and has a group of every requested name. */
export function startDirectory(): Promise<Listener> {
  return startListener((client) => {
    const split = messageSplitter()
    client.on('data', (chunk: Buffer) => {
      for (const message of split(chunk)) {
        if (message.operation === OPERATION.bindRequest) client.write(resultMessage(message.id, BIND_RESPONSE, 0))
        if (message.operation !== OPERATION.searchRequest) continue
        client.write(groupMessage(message.id, nameIn(message)))
        client.write(resultMessage(message.id, OPERATION.searchDone, 0))
      }
    })
  })
}

const BIND_RESPONSE = 0x61
const [OCTETS, SEQUENCE, SET, INTEGER] = [0x04, 0x30, 0x31, 0x02]

/** Reads the name from a filter `(cn=...)`; those of the recordings are short. */
function nameIn({ content }: LdapMessage): string {
  const asked = Buffer.from([OCTETS, 2, 0x63, 0x6e, OCTETS])
  const at = content.indexOf(asked)
  if (at < 0) return 'somebody'
  const start = at + asked.length + 1
  return content.subarray(start, start + (content[start - 1] ?? 0)).toString()
}

/** A search result entry with its name (RFC 4511 §4.5.2). */
function groupMessage(id: number, name: string): Buffer {
  const cn = element(SEQUENCE, element(OCTETS, Buffer.from('cn')), element(SET, element(OCTETS, Buffer.from(name))))
  const dn = element(OCTETS, Buffer.from(`cn=${name},dc=example,dc=test`))
  const number = Buffer.alloc(4)
  number.writeUInt32BE(id)
  return element(SEQUENCE, element(INTEGER, number), element(OPERATION.searchEntry, dn, element(SEQUENCE, cn)))
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  head.writeUInt32BE(content.length, 2)
  return Buffer.concat([head, content])
}
