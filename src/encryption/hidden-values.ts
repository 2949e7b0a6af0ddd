import { ORDERED, type Ordered, selectInOrder } from '../database/stored-order.ts'
import { printExact } from '../lib/key-order.ts'
import { parseExact } from '../lib/lossless-json.ts'
import { HIDDEN } from '../requests/masks.ts'
import { type Sql, sql } from '../sql.ts'
import { type Encryption, isSealed, purposeOf } from './encryption.ts'

/**
 * The tables whose records may hide their JSON. While a record does, the column of JSON is null, and the column `sealed` has
 * the JSON encrypted (decision 0063).
 */
const HIDEABLE = ['parameters', 'smart_class_parameters', 'override_values'] as const

/** A table whose records may hide their JSON. */
export type Hideable = (typeof HIDEABLE)[number]

type Columns = readonly { readonly ordered?: Ordered }[]
type Values = Readonly<Record<string, unknown>>

/** Selects the JSON of a row as text, or the encrypted text of a hidden one: `openKept` yields the JSON of either. */
export function selectKept(table: Hideable, alias: string): Sql {
  return sql`coalesce(${selectInOrder(table, alias)}::text, ${sql.ref(`${alias}.sealed`)})`
}

/** Yields the JSON that `selectKept` has selected. */
export function openKept(
  { decrypt }: Pick<Encryption, 'decrypt'>,
  table: Hideable,
  text: string | null,
): string | null {
  // JSON has no two dots outside of strings, which begin with a quotation mark: no value looks encrypted.
  return text !== null && isSealed(text) ? decrypt(text, sealedPurposeOf(table)) : text
}

/** Encrypts the JSON of a hidden value. */
export function sealText({ encrypt }: Pick<Encryption, 'encrypt'>, table: Hideable, text: string): string {
  return encrypt(text, sealedPurposeOf(table))
}

/**
 * Yields the values to be stored, with the JSON of a hidden record encrypted. `stored` is the record before an update, as
 * `openHidden` yields it: who only hides it, or shows it again, stores its value anew.
 */
export function sealHidden(
  encryption: Pick<Encryption, 'encrypt'>,
  columns: Columns,
  values: Values,
  stored?: Values,
): Values {
  const table = findHideable(columns)
  const name = table && ORDERED[table]
  if (!name || (values[name] === undefined && values.hidden_value === undefined)) return values
  const value = values[name] === undefined ? stored?.[name] : values[name]
  if ((values.hidden_value ?? stored?.hidden_value) === true && isSecret(value))
    return { ...values, [name]: null, sealed: sealText(encryption, table, printExact(value)) }
  return stored ? { ...values, [name]: value, sealed: null } : values
}

/** Yields a stored row with the JSON of a hidden record, without the column of encrypted text. */
export function openHidden<Row extends object | undefined>(
  encryption: Pick<Encryption, 'decrypt'>,
  columns: Columns,
  row: Row,
): Row {
  const table = findHideable(columns)
  if (!table || row === undefined) return row
  const { sealed, ...others } = row as Row & Values // a row has columns by their names
  const name = ORDERED[table]
  const isSealed = typeof sealed === 'string' && (others as Values)[name] === null
  const value = isSealed ? { [name]: parseExact(encryption.decrypt(sealed, sealedPurposeOf(table))) } : {}
  return { ...others, ...value } as Row // the columns of the row, but for the encrypted text
}

/** Whether a value can be a secret; the mask itself is none. */
export function isSecret(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== HIDDEN
}

function findHideable(columns: Columns): Hideable | undefined {
  const table = columns.find(({ ordered }) => ordered !== undefined)?.ordered
  return HIDEABLE.find((each) => each === table)
}

function sealedPurposeOf(table: Hideable) {
  return purposeOf({ table, column: 'sealed' })
}
