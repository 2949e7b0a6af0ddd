import { Attribute, Change, type Client } from 'ldapts'
import type { TestGroup } from './people.ts'

export type Value = string | Buffer

/** An entry to store. Undefined values are left out. */
export interface Entry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, Value | readonly Value[] | undefined>>
}

/** Escapes a name for a DN (RFC 4514). */
export function escapeDn(name: string): string {
  return name.replace(/[,+"\\<>;=]|^[ #]| $/g, (each) => `\\${each}`)
}

/** Formats entries as LDIF (RFC 2849). */
export function toLdif(entries: Iterable<Entry>): string {
  const lines: string[] = []
  for (const { dn, attributes } of entries) {
    lines.push(lineOf('dn', dn))
    for (const [name, value] of Object.entries(attributes))
      for (const each of valuesOf(value)) lines.push(lineOf(name, each))
    lines.push('')
  }
  return lines.join('\n')
}

/** Adds entries to a running server in their order. */
export async function addEntries(client: Client, entries: Iterable<Entry>): Promise<void> {
  for (const { dn, attributes } of entries) {
    const list = Object.entries(attributes)
      .map(([type, value]) => ({ type, values: valuesOf(value) }))
      .filter(({ values }) => values.length > 0)
    await client.add(
      dn,
      list.map(({ type, values }) => new Attribute({ type, values: values.map((each) => Buffer.from(each)) })),
    )
  }
}

/** Adds groups to groups in their order, so that the last step may close a loop. */
export async function nestGroups(
  client: Client,
  groups: readonly TestGroup[],
  dnOf: (name: string) => string,
  type = 'member',
) {
  for (const { name, groups: inner } of groups.filter((each) => each.groups.length > 0)) {
    const modification = new Attribute({ type, values: inner.map(dnOf) })
    await client.modify(dnOf(name), new Change({ operation: 'add', modification }))
  }
}

const PLAIN = /^[!-9;=-~][ -~]*$/

function lineOf(name: string, value: Value): string {
  if (typeof value === 'string' && PLAIN.test(value) && !value.endsWith(' ')) return `${name}: ${value}`
  return `${name}:: ${Buffer.from(value).toString('base64')}`
}

function valuesOf(value: Value | readonly Value[] | undefined): readonly Value[] {
  if (value === undefined) return []
  return typeof value === 'string' || Buffer.isBuffer(value) ? [value] : value
}
