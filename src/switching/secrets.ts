import { randomBytes } from 'node:crypto'
import { hashPassword, readOldToken, storeOldToken, wrapHash } from '../areas/access/index.ts'
import { type Context, inTransaction } from '../context.ts'
import { row } from '../database/sql.ts'
import { Failure, invalid } from '../errors.ts'
import { createRecord, findResource, recordAudit, updateRecord } from '../kernel/index.ts'
import { sql } from '../sql.ts'
import { findServer, loadEntries } from './journal.ts'
import { KINDS, type Kind } from './kinds.ts'
import { createOwnRecords, type OwnRecords } from './own-records.ts'
import type { Working } from './working.ts'

/** A secret of a record of the old server, by its id there. */
export interface TakenSecret {
  readonly kind: string
  readonly id: number
  readonly key: string
  /** The value; for passwords of users the hash, beside `salt`. */
  readonly value: string
  readonly salt?: string
  /** Of a token: `id` is its user's. */
  readonly token?: { readonly name: string; readonly expires_at: string | null }
}

/** What came of secrets: how many were stored, by kind, and those that were not. */
export interface TakenSecrets {
  readonly stored: Record<string, number>
  readonly refused: readonly { readonly kind: string; readonly id: number; readonly reason: string }[]
}

/** Stores secrets from a backup in the records that an import has taken. Their values are never shown. */
export async function takeSecrets(working: Working, secrets: readonly TakenSecret[]): Promise<TakenSecrets> {
  const { ctx } = working
  const address = await findServer(ctx.db)
  if (address === null) throw new Failure('not_found', 'nothing has been imported: import the server first')
  const own = createOwnRecords(working)
  const stored: Record<string, number> = {}
  const refused: TakenSecrets['refused'][number][] = []
  for (const secret of secrets) {
    const { kind: name, id } = secret
    const kind = KINDS.find((one) => one.name === name)
    if (!kind) continue
    const { table } = findResource(working.registry, name)
    const entry = (await loadEntries(ctx.db, address, name, { table, ids: [id] })).get(id)
    if (!entry) continue // the import has left the record out, and said so
    try {
      const counted = secret.token ? 'personal_access_token' : name
      if (secret.token) {
        if (!(await storeToken(working, entry.our_id, secret, secret.token))) continue
      } else await store(working, own, { kind, id: entry.our_id, name: entry.name }, secret)
      stored[counted] = (stored[counted] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error
      refused.push({ kind: name, id, reason: error.message })
    }
  }
  return { stored, refused }
}

interface Target {
  readonly kind: Kind
  readonly id: number
  readonly name: string
}

async function store(
  { ctx, registry }: Working,
  own: OwnRecords,
  { kind, id, name }: Target,
  secret: TakenSecret,
): Promise<void> {
  const resource = findResource(registry, kind.name)
  if (secret.salt === undefined) {
    const { key, value } = secret
    return inTransaction(ctx, (tx) => own.update(tx, { kind, resource, parent: null }, id, { [key]: value }))
  }
  const told = { salt: secret.salt, hash: secret.value }
  const password = await wrapHash(told, (text) => hashPassword(text, ctx.passwordMemoryMiB))
  await inTransaction(ctx, async (tx: Context) => {
    await updateRecord(tx, resource, { id }, { password })
    await recordAudit(tx, resource, 'update', { id, label: name }, { password: ['[redacted]', '[redacted]'] })
  })
}

/** Stores a token of a user, which counts from its first use here on. Answers false where the user has one of that name. */
async function storeToken(
  { ctx, registry }: Working,
  user: number,
  { id, value }: TakenSecret,
  { name, expires_at }: NonNullable<TakenSecret['token']>,
): Promise<boolean> {
  const kept = readOldToken(value, id)
  if (!kept) throw invalid({ token: ['has a hash of an unknown form'] })
  return inTransaction(ctx, async (tx) => {
    const taken = await row(
      tx.db,
      sql`select id from personal_access_tokens where user_id = ${user} and name = ${name}`,
    )
    if (taken) return false
    const draft = { user, name, expires_at, token: randomBytes(32) } // nothing has this digest
    await storeOldToken(tx.db, await createRecord(tx, findResource(registry, 'personal_access_token'), draft), kept)
    return true
  })
}
