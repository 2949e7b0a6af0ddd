import { hashPassword, wrapHash } from '../areas/access/index.ts'
import { type Context, inTransaction } from '../context.ts'
import { Failure } from '../errors.ts'
import { findResource, recordAudit, updateRecord } from '../kernel/index.ts'
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
    const entry = (await loadEntries(ctx.db, address, name, [id])).get(id)
    if (!kind || !entry) continue // the import has left the record out, and said so
    try {
      await store(working, own, { kind, id: entry.our_id, name: entry.name }, secret)
      stored[name] = (stored[name] ?? 0) + 1
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
    await updateRecord(tx, resource, id, { password })
    await recordAudit(tx, resource, 'update', { id, label: name }, { password: ['[redacted]', '[redacted]'] })
  })
}
