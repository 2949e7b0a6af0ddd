import { z } from 'zod'
import type { FieldErrors } from '../../../errors.ts'
import { boolean, type Draft, type Field, type Stored } from '../../../kernel/index.ts'
import { readFlag } from '../../../lib/values.ts'
import { NOT_BOOLEAN, toBoolean, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** How many hosts may be registered with a key at a time: a number, or unlimited (content-api §2.7). */
export interface Limits {
  readonly unlimited_hosts: boolean
  readonly max_hosts: number | null
}

const NO_LIMIT: Limits = { unlimited_hosts: true, max_hosts: null }
const TOO_MANY = 2_147_483_648

/** The field that tells whether a key has no limit of hosts. Null counts as not sent. */
export function unlimitedHosts(): Field<boolean> {
  const doc = 'Whether the number of its registered hosts is unlimited; true without a limit.'
  const field = boolean({ initial: true, doc })
  const schema = () => z.boolean({ error: NOT_BOOLEAN }).nullable().meta({ description: doc })
  return {
    ...field,
    writable: ({ name }) => ({ [name]: { schema, coerce: toBoolean, initial: true } }),
    read: async (_ctx, { name }, sent) => readFlag(sent, name) ?? undefined,
  }
}

/**
 * The field for the largest number of hosts of a key. `validateHostLimit` validates it together with `unlimited_hosts`;
 * NaN stands for anything but a number.
 */
export function maxHosts(): Field<number | null> {
  const doc = 'Maximum number of hosts that are registered with it at a time; null without a limit.'
  return {
    kind: 'integer',
    doc,
    writable: ({ name }) => ({
      [name]: { schema: () => z.unknown().meta({ type: ['integer', 'null'], description: doc }), coerce: toNumber },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.int().nullable().meta({ description: doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    search: ({ name }) => [{ name, type: 'integer', column: name, nullable: true, explicit: true }],
    column: ({ name }) => ({ name, type: 'integer', nullable: true }),
  }
}

type LimitFields = {
  readonly unlimited_hosts: ReturnType<typeof unlimitedHosts>
  readonly max_hosts: ReturnType<typeof maxHosts>
}

/** Resolves both fields of the limit; yields no fields if neither was sent (content-api §2.7). */
export function resolveLimits(draft: Draft<LimitFields>, stored: Stored<LimitFields> | null): Partial<Limits> {
  const { unlimited_hosts, max_hosts } = draft
  if (unlimited_hosts === undefined && max_hosts === undefined) return {}
  if (unlimited_hosts === true) return NO_LIMIT
  if (typeof max_hosts === 'number') return { unlimited_hosts: false, max_hosts }
  const before = stored ?? NO_LIMIT
  if (unlimited_hosts === undefined && before.unlimited_hosts) return {}
  return {
    unlimited_hosts: false,
    max_hosts: max_hosts === undefined ? before.max_hosts : null,
  }
}

/** Validates the limit after a write, with the messages of content-api §2.7. */
export function validateHostLimit(
  _record: unknown,
  draft: Draft<LimitFields>,
  _ctx: unknown,
  stored: (Stored<LimitFields> & { readonly usage_count: number }) | null,
): FieldErrors | undefined {
  const { unlimited_hosts, max_hosts } = resolveLimits(draft, stored)
  if (unlimited_hosts !== false) return undefined
  const messages = messagesOf(max_hosts ?? null, stored?.usage_count ?? 0)
  return messages.length > 0 ? { max_hosts: messages } : undefined
}

function messagesOf(limit: number | null, used: number): string[] {
  if (limit === null) return ['cannot be nil']
  if (Number.isNaN(limit)) return ['is not a number', 'cannot be less than one']
  if (!Number.isInteger(limit)) return ['must be an integer']
  if (limit >= TOO_MANY) return [`must be less than ${TOO_MANY}`]
  if (limit < 1) return ['cannot be less than one']
  return limit < used ? [`cannot be lower than current usage count (${used})`] : []
}

function toNumber(sent: unknown): number | null {
  const read = toInteger(sent)
  if (read === null || typeof read === 'number') return read
  return typeof read === 'string' && /^[-+]?\d+(\.\d+)?$/.test(read) ? Number(read) : Number.NaN
}
