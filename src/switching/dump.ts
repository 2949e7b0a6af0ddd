import { spawn } from 'node:child_process'
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { createInterface } from 'node:readline'

/** A row of a table in a dump; null where the value is. */
export type DumpRow = Readonly<Record<string, string | null>>

/**
 * Reads the rows of a table from a dump in PostgreSQL's custom format, by the program pg_restore and without a server. A table
 * that the dump lacks has no rows. {@throws Error} when the program is missing or cannot read the dump
 */
export async function* readTable(dump: string, table: string): AsyncGenerator<DumpRow> {
  const child = spawn('pg_restore', ['--data-only', '--table', table, '--file', '-', dump], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString()
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  ended.catch(() => undefined) // awaited below
  let columns: readonly string[] | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    if (columns === null) columns = readColumns(line)
    else if (line === '\\.') columns = null
    else yield toRow(columns, line)
  }
  const code = await ended.catch((error: unknown) => {
    throw new Error(`pg_restore cannot be started: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (code !== 0) throw new Error(`pg_restore cannot read ${dump}: ${said.split('\n', 1)[0]}`)
}

function readColumns(line: string): readonly string[] | null {
  const [, list] = /^COPY .* \((.*)\) FROM stdin;$/.exec(line) ?? []
  return list === undefined ? null : list.split(', ').map((name) => name.replaceAll('"', ''))
}

function toRow(columns: readonly string[], line: string): DumpRow {
  const values = line.split('\t')
  return Object.fromEntries(columns.map((name, at) => [name, readEscapes(values[at] ?? '\\N')]))
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

function readEscapes(value: string): string | null {
  return value === '\\N' ? null : value.replace(/\\(.)/g, (_all, letter: string) => ESCAPES[letter] ?? letter)
}

/** Reads the key of encrypted columns from the file that the old server keeps it in: a line of Ruby, or nothing but the key. */
export function readEncryptionKey(text: string): string {
  const [, value] = /ENCRYPTION_KEY\s*=(.*)$/m.exec(text) ?? []
  if (value === undefined) return text.trim()
  // The last text of the line: an environment variable may stand before it.
  return [...value.matchAll(/["']([^"']+)["']/g)].at(-1)?.[1] ?? value.trim()
}

const ENCRYPTED = 'encrypted-'

/**
 * Decrypts a column of the old server: `encrypted-`, then base64 of the cipher text and of its initial vector, signed with
 * HMAC-SHA1 by the whole key; AES-256-CBC with its first 32 characters. Inside is a string of Ruby. A value without that
 * prefix was stored as it is. {@throws Error} when the key does not fit
 */
export function decryptColumn(value: string, key: string | null): string {
  if (!value.startsWith(ENCRYPTED)) return value
  if (key === null) throw new Error('it is encrypted: name the file of the key with --key')
  const text = value.slice(ENCRYPTED.length)
  const cut = text.lastIndexOf('--')
  const [data, signature] = [text.slice(0, cut), Buffer.from(text.slice(cut + 2), 'hex')]
  const expected = createHmac('sha1', key).update(data).digest()
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Error('the key in --key does not fit')
  const [cipher = '', vector = ''] = Buffer.from(data, 'base64').toString().split('--')
  const decipher = createDecipheriv('aes-256-cbc', key.slice(0, 32), Buffer.from(vector, 'base64'))
  return readRubyString(Buffer.concat([decipher.update(Buffer.from(cipher, 'base64')), decipher.final()]))
}

/** Reads a string that Ruby has marshalled: version 4.8, `I"` or `"`, the length, the bytes. */
function readRubyString(bytes: Buffer): string {
  const start = bytes[2] === 0x49 ? 4 : 3
  if (bytes[0] !== 4 || bytes[1] !== 8 || bytes[start - 1] !== 0x22) throw new Error('it holds no text')
  const first = bytes.readInt8(start)
  if (first === 0) return ''
  const size = first >= 5 ? 0 : first
  const length = size === 0 ? first - 5 : bytes.readUIntLE(start + 1, size)
  const from = start + 1 + size
  return bytes.subarray(from, from + length).toString('utf8')
}
