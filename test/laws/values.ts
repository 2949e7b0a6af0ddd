import fc from 'fast-check'
import { z } from 'zod'
import type { Placed, Resource } from '../../src/kernel/resource.ts'
import { type Body, type Shown, targetOf } from '../support/given.ts'

/** Ids that links may point at, by resource. */
export type Pool = Readonly<Record<string, readonly number[]>>

/** The fields that requests can write, each with the key they write it by. */
export function written(resource: Resource): (Placed & { readonly key: string })[] {
  return resource.placed.flatMap((placed) => {
    const [key] = Object.keys(placed.field.writable(placed.at))
    return key === undefined ? [] : [{ ...placed, key }]
  })
}

/** Keys without which a create is refused: by the declaration, and by a rule of the resource. */
export function requiredKeys(resource: Resource): string[] {
  const declared = written(resource).filter(({ field }) => field.required)
  return [...declared.map(({ key }) => key), ...(REQUIRED_BY_RULES[resource.name] ?? [])]
}

const REQUIRED_BY_RULES: Readonly<Record<string, readonly string[]>> = {
  user: ['mail', 'password'],
  filter: ['permission_ids'],
}

/** Any body that creates a record, or with `partial` one that changes some of it. */
export function bodies(resource: Resource, pool: Pool, { partial = false, texts = anyText } = {}): fc.Arbitrary<Body> {
  const values = Object.fromEntries(
    written(resource).map((placed) => [placed.key, anyValue(resource, placed, pool, texts)]),
  )
  return fc.record(values, { requiredKeys: partial ? [] : requiredKeys(resource) })
}

let counter = 0

/** The body with names that no other record has but for those to `keep`, and as the rules want it beside `before`. */
export function acceptable(resource: Resource, body: Body, before: Body = {}, keep: readonly string[] = []): Body {
  const suffix = `_${++counter}`
  const named = (SUFFIXED[resource.name] ?? ['name']).filter(
    (key) => typeof body[key] === 'string' && !keep.includes(key),
  )
  const distinct = { ...body, ...Object.fromEntries(named.map((key) => [key, `${body[key]}${suffix}`])) }
  const { family, release_name } = { ...before, ...distinct }
  return family === 'Debian' && !release_name ? { ...distinct, release_name: 'bookworm' } : distinct
}

const SUFFIXED: Readonly<Record<string, readonly string[]>> = {
  user: ['login'],
  operatingsystem: ['name', 'description'],
  image: ['name', 'uuid', 'username'],
}

/** What a record shows of a field, in the form that `asShown` gives sent values; undefined when it shows nothing. */
export function shownValue(resource: Resource, { name, field, column }: Placed, record: Shown): unknown {
  if (field.kind === 'links') return record[name]?.map(({ id }: Shown) => id).sort((a: number, b: number) => a - b)
  if (field.kind === 'link')
    return `${name}_id` in record ? record[`${name}_id`] : name in record ? (record[name]?.id ?? null) : undefined
  return record[SHOWN_AS[`${resource.name}.${name}`] ?? column?.name ?? name]
}

const SHOWN_AS: Readonly<Record<string, string>> = {
  'filter.override': 'override?',
  'personal_access_token.revoked': 'revoked?',
}

/** What a record is to show of a value that was sent. */
export function asShown({ field }: Placed, sent: unknown): unknown {
  if (field.kind === 'links') return [...new Set(sent as number[])].sort((a, b) => a - b)
  if (field.kind === 'timestamp' && typeof sent === 'string') return `${sent.slice(0, 19).replace('T', ' ')} UTC`
  return sent
}

function anyValue(resource: Resource, placed: Placed, pool: Pool, texts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const own = PARTICULAR[`${resource.name}.${placed.name}`]
  if (own) return own(pool, texts)
  const { field, column } = placed
  const optional = (value: fc.Arbitrary<unknown>) =>
    column?.nullable && !field.required ? fc.option(value, { freq: 4 }) : value
  switch (field.kind) {
    case 'text':
      return optional(textOf(placed, texts))
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return optional(fc.integer({ min: -2147483648, max: 2147483647 }))
    case 'timestamp':
      return optional(moment)
    case 'link':
      return optional(fc.constantFrom(...idsFor(placed, pool)))
    case 'links':
      return fc.subarray([...idsFor(placed, pool)])
    case 'words':
      return fc.subarray(['User'])
    case 'secret':
      return fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 }).filter((value) => [...value].length < 100)
    default:
      throw new Error(`no values are known for the kind ${field.kind}`)
  }
}

function idsFor(placed: Placed, pool: Pool): readonly number[] {
  const target = targetOf(placed)
  const ids = pool[target]
  if (!ids) throw new Error(`there is no ${target} to point at`)
  return ids
}

const WORDS = [
  'Wörter', 'ελληνικά', 'Кириллица', 'שלום', 'مرحبا', '日本語', '🦊🏔️', 'e\u0301', '\u202e', ' ', '.', '/', "o'clock", '"quoted"',
  '\\', '%', '_', '*', '<b>', 'null', '0', 'ß', 'İ', '()', ',', 'not', 'A', 'a',
] // biome-ignore format: one line of words

/** Text of scripts that every release of Unicode folds in the same way. */
export const knownScripts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 4 })
  .map((words) => words.join('').trim())

/** Text of every script, without NUL and without blanks around it: those are not kept (core-api §2.7). */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 12 }), knownScripts)
  .map((text) => text.replaceAll('\0', '').trim())

const unbroken = (_pool: Pool, texts: fc.Arbitrary<string>) => texts.map((text) => text.replace(/\s/gu, ''))
const letters = ['a', 'Z', 'ß', 'Ω', 'Ж', 'ו', '日', '٣', '7', '_', '-', '@', '.', '\\', '$', '#', '+']
const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2199-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

// Fields whose rules the schema does not tell.
const PARTICULAR: Readonly<Record<string, (pool: Pool, texts: fc.Arbitrary<string>) => fc.Arbitrary<unknown>>> = {
  'architecture.name': unbroken,
  'operatingsystem.name': unbroken,
  'operatingsystem.major': () => fc.integer({ min: 0, max: 99999 }).map(String),
  'user.login': () => fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }),
  'user.mail': () => fc.constantFrom('a@example.test', 'ü.ö+1@bücher.example', '用户@例子.test'),
  'user.timezone': () => fc.constantFrom(null, 'Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia'),
  'user.locale': () => fc.constantFrom(null, 'en', 'pt_BR'),
  'auth_source_ldap.host': () => fc.constantFrom('ldap.example.test', 'a.example.test,b.example.test'),
  'auth_source_ldap.port': () => fc.integer({ min: 1, max: 65_535 }),
  'auth_source_ldap.ldap_filter': () => fc.constantFrom(null, '(objectClass=person)', '(cn=שלום)'),
  'auth_source_ldap.ca_certificate': () => fc.constant(null),
  'auth_source_ldap.tls': () => fc.constant(false),
  'auth_source_ldap.onthefly_register': () => fc.constant(false),
  'auth_source_ldap.use_netgroups': () => fc.constant(false),
  ...Object.fromEntries(
    ['login', 'firstname', 'lastname', 'mail', 'photo'].map((what) => [
      `auth_source_ldap.attr_${what}`,
      () => fc.constantFrom('uid', 'x-ü'),
    ]),
  ),
  'filter.search': () => fc.constantFrom(null, 'id > 5', 'login ~ "שלום" or has mail'),
  'filter.permissions': ({ permission = [] }) => fc.subarray([...permission], { minLength: 1 }),
}

function textOf(placed: Placed, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { oneOf, max = 255 } = textFacts(placed)
  if (oneOf) return fc.constantFrom(...oneOf)
  // A suffix may follow that makes it unique.
  return texts.map((text) =>
    [...text]
      .slice(0, max - 8)
      .join('')
      .trim(),
  )
}

/** The words a text field is limited to, and its greatest length in characters. */
export function textFacts({ name, field, at }: Placed): { oneOf?: readonly string[]; max?: number } {
  const writable = field.writable(at)[name]
  if (!writable) return {}
  const schema = z.toJSONSchema(writable.schema, { io: 'input' }) as JsonSchema // only what texts are made of is read
  const parts = [schema, ...(schema.anyOf ?? [])]
  const oneOf = parts.find((part) => part.enum)?.enum
  const max = parts.find((part) => part.maxLength)?.maxLength
  return { ...(oneOf && { oneOf }), ...(max && { max }) }
}

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly string[]
  readonly maxLength?: number
}
