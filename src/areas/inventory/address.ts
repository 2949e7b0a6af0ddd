import { isIP, SocketAddress } from 'node:net'
import { z } from 'zod'
import type { Field, Required } from '../../kernel/index.ts'
import { isBlank } from '../../search/blank.ts'
import { sql } from '../../sql.ts'

const NOT_ADDRESS = 'is not an IP address'

/** The IP version of an address: 4 or 6; 0 for other text, and for an address with a zone such as `fe80::1%eth0`. */
export function addressFamilyOf(text: string): 0 | 4 | 6 {
  return text.includes('%') ? 0 : (isIP(text) as 0 | 4 | 6) // isIP has no other results
}

/** The form in which the database prints an address, `2001:db8::1` for `2001:DB8:0::1`. Other text stays as it is. */
export function canonicalizeAddress(text: string): string {
  return addressFamilyOf(text) === 6 ? new SocketAddress({ address: text, family: 'ipv6' }).address : text
}

/** An address as a number, for comparison and masks. */
export function toAddressNumber(text: string): bigint {
  if (addressFamilyOf(text) === 4) return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const [, before = '', last = ''] = dotted ?? []
  const full = dotted
    ? `${before}${hexOf(toAddressNumber(last) >> 16n)}:${hexOf(toAddressNumber(last) & 0xffffn)}`
    : text
  const [head = '', tail] = full.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n)
}

/** The text of an address from its number and family. */
export function toAddressText(value: bigint, family: 4 | 6): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => hexOf((value >> BigInt(112 - 16 * index)) & 0xffffn))
  return canonicalizeAddress(groups.join(':'))
}

function hexOf(value: bigint): string {
  return value.toString(16)
}

interface Options {
  readonly doc: string
  readonly required?: boolean
  readonly search?: 'free' | 'explicit'
}

/** A field of an IP address, stored as `inet` and shown without a prefix length. Blank text becomes null. */
export function address(options: Options & Required): Field<string> & Required
export function address(options: Options): Field<string | null>
export function address(options: Options): Field<string | null> {
  const { doc, required = false, search } = options
  const schema = z
    .string({ error: (issue) => (issue.input === null ? "can't be blank" : NOT_ADDRESS) })
    .refine((text) => addressFamilyOf(text) !== 0, NOT_ADDRESS)
  const output = required ? z.string() : z.string().nullable()
  return {
    kind: 'address',
    doc,
    required,
    writable: ({ name }) => ({
      [name]: {
        language: 'address',
        schema: () => (required ? schema : schema.nullable()).meta({ description: doc }),
        coerce: toAddress,
      },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => output.meta({ description: doc }),
        sql: (alias) => sql`host(${sql.ref(`${alias}.${name}`)})`,
      },
    }),
    search: ({ name }) =>
      search
        ? [
            {
              name,
              type: 'text',
              column: name,
              expression: (alias) => sql`host(${sql.ref(`${alias}.${name}`)})`,
              nullable: !required,
              explicit: search === 'explicit',
            },
          ]
        : [],
    column: ({ name }) => ({ name, type: 'inet', nullable: !required }),
  }
}

function toAddress(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  return isBlank(sent) ? null : canonicalizeAddress(sent.trim())
}
