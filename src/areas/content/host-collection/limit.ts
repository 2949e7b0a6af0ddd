import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import { boolean, type Field, integer, type Stored } from '../../../kernel/index.ts'
import { readFlag, readNumber } from '../../../lib/values.ts'
import { toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

const NOT_POSITIVE = 'must be a positive integer value.'
const LARGEST = 2_147_483_647
const DOC = 'Maximum number of hosts; null: no limit.'

/**
 * The two fields for the number of hosts a collection may have (content-api §8.1): `unlimited_hosts: true` clears the
 * number, and a number clears `unlimited_hosts`.
 */
export const limitFields: { readonly max_hosts: Field<number | null>; readonly unlimited_hosts: Field<boolean> } = {
  max_hosts: {
    ...integer({ search: 'explicit', doc: DOC }),
    // `validateCollectionLimit` validates the number, so that all messages come at once.
    writable: ({ name }) => ({
      [name]: {
        schema: () =>
          z.int({ error: NOT_POSITIVE }).nullable().meta({ description: DOC, minimum: 1, maximum: LARGEST }),
        coerce: toInteger,
      },
    }),
    read: async (_ctx, { name }, sent) => (sent.unlimited_hosts === true ? null : readNumber(sent, name)),
  },
  unlimited_hosts: {
    ...boolean({ initial: true, search: 'explicit', doc: 'Whether it may have any number of hosts.' }),
    read: async (_ctx, { name }, sent) => {
      if (sent[name] !== true && typeof sent.max_hosts === 'number') return false
      return readFlag(sent, name) ?? undefined
    },
  },
}

/** The limit and the hosts in a request, or as stored. */
interface Limit {
  readonly max_hosts?: number | null
  readonly unlimited_hosts?: boolean
  readonly hosts?: readonly number[]
}

/** Validates the limit by itself and against the present hosts (content-api §8.1). */
export function validateCollectionLimit(record: Limit, draft: Limit, stored: Stored | null): FieldErrors {
  const errors: FieldErrors = {}
  const { max_hosts: most = null, unlimited_hosts: unlimited = true } = record
  if (most !== null && (most < 1 || most > LARGEST)) errors.max_hosts = [NOT_POSITIVE]
  if (most === null && !unlimited)
    errors.max_hosts = ['max_hosts must be given a value if this host collection is not unlimited.']
  const changes = draft.max_hosts !== undefined && draft.max_hosts !== stored?.max_hosts
  // New hosts are counted by `refuseBeyondLimit`, together with members that the caller does not see.
  if (changes && most !== null && draft.hosts === undefined && Number(stored?.total_hosts ?? 0) > most)
    errors.max_host = ['may not be less than the number of hosts associated with the host collection.']
  return errors
}

/** A collection as a check of its limit needs it; `max_hosts` is null without a limit. */
export interface LimitedCollection {
  readonly name: string
  readonly max_hosts: number | null
  /** Number of hosts after the write. */
  readonly hosts: number
}

/** Refuses collections with more hosts than their limit. {@throws Failure} invalid, naming each */
export function refuseBeyondLimit(collections: readonly LimitedCollection[], id: number | null): void {
  const full = collections.filter(({ max_hosts, hosts }) => max_hosts !== null && hosts > max_hosts)
  if (full.length === 0) return
  throw invalid({ base: full.map(describeExcess) }, id)
}

/** The message for a collection with more hosts than its limit. */
function describeExcess({ name, max_hosts }: Omit<LimitedCollection, 'hosts'>): string {
  return `You cannot have more than ${max_hosts} host(s) associated with host collection ${name}.`
}

/** Locks collections in order of their ids, which avoids deadlocks, and yields their locked state. */
export async function lockCollections(
  tx: Context,
  ids: readonly number[],
): Promise<
  readonly { id: number; name: string; organization_id: number; max_hosts: number | null; total_hosts: number }[]
> {
  return rows(
    tx.db,
    sql`select id, name, organization_id, max_hosts, total_hosts from host_collections
      where id = any (${ids}::bigint[]) order by id for no key update`,
  )
}
