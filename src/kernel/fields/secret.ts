import { z } from 'zod'
import type { Context } from '../../context.ts'
import { purposeOf } from '../../encryption/encryption.ts'
import { isMask } from '../../requests/masks.ts'
import { BLANK, formatTooLong, NOT_TEXT } from '../../requests/sent.ts'
import type { Field, FieldPosition } from '../definition.ts'
import type { ColumnType } from '../record.ts'

/** Options of a secret field; `min` (default 1) and `max` (default 128) count UTF-16 units. */
export interface SecretOptions<Value> {
  readonly doc: string
  readonly min?: number
  readonly max?: number
  readonly column?: ColumnType
  /** Null and an empty text remove what is stored; without this null changes nothing, and an empty text is refused. */
  readonly clearable?: boolean
  /** Computes what is stored instead of the sent text, e.g. its hash. */
  readonly seal?: (ctx: Context, plain: string) => Promise<Value>
  /** The text is stored encrypted, because the service has to know it again; `millwright keys rotate` encrypts it anew. */
  readonly encrypted?: true
  /**
   * The fields that decide where the secret is sent and how it is protected: whoever changes one has to send the secret again
   * (docs/decisions/0015-secrets-and-destinations.md). Empty for secrets that the service never sends, such as hashes.
   */
  readonly sentTo: readonly string[]
}

/** Declares a field of a value that is never shown: not in answers, audits, errors or logs. */
export function secret<Value = string>(options: SecretOptions<Value>): Field<Value | null> {
  const { doc, min = 1, max = 128, column = 'text', clearable = false, encrypted, sentTo, seal } = options
  const schema = () =>
    z
      .string({ error: NOT_TEXT })
      .min(1, BLANK)
      .min(min, `is too short (minimum is ${min} characters)`)
      .max(max, formatTooLong(max))
      .nullable()
      .meta({ description: doc, writeOnly: true })
  const store = async (ctx: Context, plain: string, { name, resource }: FieldPosition) => {
    if (encrypted) return ctx.encryption.encrypt(plain, purposeOf({ table: resource.table, column: name }))
    return seal ? seal(ctx, plain) : plain
  }
  return {
    kind: 'secret',
    doc,
    secret: { sentTo, ...(encrypted && { encrypted }) },
    writable: (at) => ({
      [at.name]: {
        schema,
        coerce: (sent) => (isMask(sent) ? undefined : clearable && sent === '' ? null : sent),
        prepare: async (ctx, plain) =>
          typeof plain === 'string' ? store(ctx, plain, at) : clearable ? plain : undefined,
      },
    }),
    readable: () => ({}),
    search: () => [],
    column: ({ name }) => ({ name, type: column, nullable: true }),
  }
}
