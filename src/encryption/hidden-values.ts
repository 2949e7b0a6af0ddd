import { type Context, holdsForAll, SERVICE } from '../context.ts'
import { ORDERED, type Ordered, selectInOrder } from '../database/stored-order.ts'
import { invalid } from '../errors.ts'
import { parseExact, printExact } from '../lib/lossless-json.ts'
import { parseReference, type Reference } from '../references/reference.ts'
import { HIDDEN } from '../requests/masks.ts'
import { type Sql, sql } from '../sql.ts'
import {
  decryptIfPossible,
  type EncryptedColumn,
  type Encryption,
  isSealed,
  type Purpose,
  purposeOf,
} from './encryption.ts'

/** The tables whose records may hide their JSON: the column of JSON holds it encrypted then, as a text (decision 0065). */
export const HIDEABLE = ['parameters', 'smart_class_parameters', 'override_values'] as const

/** A table whose records may hide their JSON. */
export type Hideable = (typeof HIDEABLE)[number]

/** Begins the text that stands in the place of encrypted JSON. Values that are not hidden may begin with it and mean themselves. */
const PREFIX = 'mw:sealed:1:'

type Columns = readonly { readonly ordered?: Ordered }[]
type Values = Readonly<Record<string, unknown>>
type Sealing = Pick<Encryption, 'encrypt' | 'isSealing'>
type Writer = Pick<Context, 'user' | 'references' | 'encryption'>

/**
 * Selects the JSON of a row as text, or the encrypted text of a hidden one: `openKept` yields the JSON of either. Statements
 * that know it already say whether the row is hidden.
 */
export function selectKept(table: Hideable, alias: string, hidden: Sql = selectHidden(table, alias)): Sql {
  return sql`coalesce(${selectSealed(table, alias, hidden)}, ${selectInOrder(table, alias)}::text)`
}

/** Selects the encrypted text of a hidden value, and null for all others. */
export function selectSealed(table: Hideable, alias: string, hidden: Sql = selectHidden(table, alias)): Sql {
  const text = sql`(${sql.ref(`${alias}.${ORDERED[table]}`)} #>> '{}')`
  return sql`case when ${hidden} and ${text} ~ ${SEALED} then substr(${text}, ${sql.raw(String(PREFIX.length + 1))}) end`
}

/** The form of an encrypted text, for PostgreSQL: key, cipher and version. */
export const ENCRYPTED = '[0-9a-f]{8}[.][A-Za-z0-9_-]+[.]2'

const SEALED = sql.lit(`^${PREFIX}${ENCRYPTED}$`)

/** Selects whether a row hides its JSON. */
export function selectHidden(table: Hideable, alias: string): Sql {
  if (table !== 'override_values') return sql.ref(`${alias}.hidden_value`)
  const parameter = sql.ref(`${alias}.smart_class_parameter_id`)
  return sql`(select hiding.hidden_value from smart_class_parameters hiding where hiding.id = ${parameter})`
}

/** Selects the encrypted text of any column that may hold one, else null: some also hold what earlier versions stored as it was. */
export function selectEncrypted({ table, column }: EncryptedColumn, alias: string): Sql {
  const hideable = findHideable(table)
  if (hideable && ORDERED[hideable] === column) return selectSealed(hideable, alias)
  const text = sql.ref(`${alias}.${column}`)
  return sql`case when ${text} ~ '^[0-9a-f]{8}[.]' then ${text} end`
}

/** Yields the value of a column that stores an encrypted text. */
export function storeEncrypted({ table }: EncryptedColumn, text: Sql): Sql {
  return findHideable(table) ? sql`to_jsonb(${sql.lit(PREFIX)} || ${text})` : text
}

/**
 * Yields the JSON that `selectKept` has selected. A text that only looks encrypted is a value that an earlier version has stored:
 * this one encrypts such values always.
 */
export function openKept(encryption: Pick<Encryption, 'decrypt'>, table: Hideable, text: string | null): string | null {
  // JSON has no two dots outside of strings, which begin with a quotation mark: no value looks encrypted here.
  if (text === null || !isSealed(text)) return text
  return decryptIfPossible(encryption, text, buildPurpose(table)) ?? JSON.stringify(`${PREFIX}${text}`)
}

/** Decrypts what `selectEncrypted` has selected of any column. {@throws Error} but for hidden values, see `openKept` */
export function openEncrypted(
  encryption: Pick<Encryption, 'decrypt'>,
  { table }: EncryptedColumn,
  text: string,
  purpose: Purpose,
): string {
  const hideable = findHideable(table)
  return (hideable && openKept(encryption, hideable, text)) ?? encryption.decrypt(text, purpose)
}

/** Encrypts the JSON of a hidden value. */
export function sealText({ encrypt }: Pick<Encryption, 'encrypt'>, table: Hideable, text: string): string {
  return encrypt(text, buildPurpose(table))
}

/** Encrypts a hidden value as its column stores it. */
export function sealValue(encryption: Sealing, table: Hideable, value: unknown): unknown {
  if (!isSecret(value) || !(encryption.isSealing() || isLikeSealed(value))) return value
  return `${PREFIX}${sealText(encryption, table, printExact(value))}`
}

/**
 * Yields the values to be stored, with the JSON of a hidden record encrypted. `stored` is the record before an update, as
 * `openHidden` yields it: who only hides it, or shows it again, stores its value anew. {@throws Failure} invalid for a reference
 * that the caller may not write
 */
export function sealHidden(ctx: Writer, columns: Columns, values: Values, stored?: Values): Values {
  const table = findHideableOf(columns)
  const name = table && ORDERED[table]
  if (!name || (values[name] === undefined && values.hidden_value === undefined)) return values
  const isHidden = (values.hidden_value ?? stored?.hidden_value) === true
  // Encrypted anew, a reference that is written already would have to be permitted anew.
  if (isHidden && stored?.hidden_value === true && values[name] === undefined) return values
  const value = values[name] === undefined ? stored?.[name] : values[name]
  if (isHidden) return { ...values, [name]: sealWritten(ctx, table, value, stored) }
  return stored ? { ...values, [name]: value } : values
}

/** Encrypts a hidden value that the caller writes, as its column stores it. {@throws Failure} invalid as `sealHidden` */
export function sealWritten(ctx: Writer, table: Hideable, value: unknown, stored?: Values): unknown {
  const reference = parseReference(value)
  // The service itself writes no references: values of other servers and of machines mean themselves.
  if (!reference || ctx.user.id === SERVICE.id) return sealValue(ctx.encryption, table, value)
  const problem = findReferenceProblem(ctx, reference)
  if (problem) throw invalid({ [ORDERED[table]]: [problem] }, typeof stored?.id === 'number' ? stored.id : null)
  return `${PREFIX}${sealText(ctx.encryption, table, `${MARK}${printExact(value)}`)}`
}

/** Finds the reference in JSON that `openKept` has yielded; null in all others, even in texts that look like a reference. */
export function findReference(text: string | null): string | null {
  return text?.startsWith(MARK) ? String(JSON.parse(text)) : null
}

/** The permission to write references to secrets. It counts without limits only, because a reference may name any secret. */
export const REFERENCE_SECRETS = 'reference_secrets'

/**
 * Stands before the JSON of a reference, which is white space there. It is encrypted with the value, so that nobody can put it there but
 * `sealWritten`: all other values mean themselves, also those that were stored before the service knew references.
 */
const MARK = '\n'

function findReferenceProblem(ctx: Writer, { kind }: Reference): string | null {
  const option = kind === 'vault' ? 'vault-address' : 'secret-directory'
  if (!ctx.references.isConfigured(kind))
    return `refers to a secret, but the configuration of the service has no ${option}`
  const { user } = ctx
  // Work that the service does for somebody is no reason to let them write references.
  const own = { user: { ...user, admin: user.admin && user.lent !== true } }
  if (!holdsForAll(own, REFERENCE_SECRETS))
    return `refers to a secret, which needs the permission ${REFERENCE_SECRETS} without limits`
  return ctx.encryption.isSealing() ? null : 'refers to a secret, which is possible a day after the upgrade'
}

/** Yields a stored row with the JSON of a hidden record. */
export function openHidden<Row extends object | undefined>(
  encryption: Pick<Encryption, 'decrypt'>,
  columns: Columns,
  row: Row,
): Row {
  const table = findHideableOf(columns)
  if (!table || row === undefined) return row
  const { hidden_value: isHidden, [ORDERED[table]]: stored } = row as Values // a row has columns by their names
  if (isHidden !== true || !isLikeSealed(stored)) return row
  const text = openKept(encryption, table, stored.slice(PREFIX.length))
  return { ...row, [ORDERED[table]]: parseExact(text ?? 'null') }
}

/** Whether a value can be a secret; the mask itself is none. */
function isSecret(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== HIDDEN
}

function isLikeSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(PREFIX) && isSealed(value.slice(PREFIX.length))
}

function findHideableOf(columns: Columns): Hideable | undefined {
  return findHideable(columns.find(({ ordered }) => ordered !== undefined)?.ordered)
}

function findHideable(table: string | undefined): Hideable | undefined {
  return HIDEABLE.find((each) => each === table)
}

function buildPurpose(table: Hideable) {
  return purposeOf({ table, column: ORDERED[table] })
}
