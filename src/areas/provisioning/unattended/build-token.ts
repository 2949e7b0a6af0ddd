import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { decryptIfPossible, type EncryptedColumn, purposeOf } from '../../../encryption/encryption.ts'
import type { WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { HostFields } from '../../inventory/index.ts'

/** The encrypted column of tokens. */
export const BUILD_TOKEN: EncryptedColumn = { table: 'build_tokens', column: 'token', row: ['host_id'] }

/** The host of a token, and whether the token is still valid. */
export interface TokenHost {
  readonly host: number
  readonly name: string
  readonly expired: boolean
}

/**
 * Creates a token for a host that starts to wait for its installation, and deletes it when the wait ends in any way
 * (docs/decisions/0025-build-tokens.md). To be nested around the writes of hosts.
 */
export const buildTokenWrites: WriteWrapper<HostFields> = {
  keepsCreated: true,
  async create(ctx, draft, next) {
    const id = await next(draft)
    if (draft.build === true) await createBuildToken(ctx, id)
    return id
  },
  async update(ctx, stored, draft, next) {
    await next(draft)
    if (draft.build === true) await createBuildToken(ctx, stored.id)
    else if (draft.build === false && stored.build) await deleteBuildToken(ctx, stored.id)
  },
}

/** Loads the valid token of a host under installation; null without one. */
export async function loadBuildToken(ctx: Context, host: number): Promise<string | null> {
  const found = await row<{ token: string }>(
    ctx.db,
    sql`select b.token from build_tokens b join hosts h on h.id = b.host_id
      where b.host_id = ${host} and h.build and b.expires_at > ${ctx.now()}::timestamptz`,
  )
  return decryptIfPossible(ctx.encryption, found?.token ?? null, purposeOf(BUILD_TOKEN, host))
}

/** Finds the host of a stored token, which may be expired. */
export async function findTokenHost(ctx: Context, token: string): Promise<TokenHost | undefined> {
  return row<TokenHost>(
    ctx.db,
    sql`select h.id as host, h.name, b.expires_at <= ${ctx.now()}::timestamptz as expired
      from build_tokens b join hosts h on h.id = b.host_id where b.token_hash = ${computeDigest(token)}`,
  )
}

/** Creates a token unless the host has a valid one, which may already be in menus and scripts; none if tokens last 0 minutes. */
async function createBuildToken(ctx: Context, host: number): Promise<void> {
  const minutes = ctx.settings.token_duration
  if (minutes === 0) return
  const token = randomBytes(32).toString('base64url')
  const sealed = ctx.encryption.encrypt(token, purposeOf(BUILD_TOKEN, host))
  await rows(
    ctx.db,
    sql`insert into build_tokens as b (host_id, token_hash, token, expires_at)
      values (${host}, ${computeDigest(token)}, ${sealed}, ${ctx.now()}::timestamptz + make_interval(mins => ${minutes}))
      on conflict (host_id) do update set token_hash = excluded.token_hash, token = excluded.token,
        expires_at = excluded.expires_at, created_at = now()
      where b.expires_at <= ${ctx.now()}::timestamptz`,
  )
}

/** Deletes the expired token of a host. */
export async function deleteExpiredToken(ctx: Context, host: number): Promise<void> {
  await rows(ctx.db, sql`delete from build_tokens where host_id = ${host} and expires_at <= ${ctx.now()}::timestamptz`)
}

async function deleteBuildToken(ctx: Context, host: number): Promise<void> {
  await rows(ctx.db, sql`delete from build_tokens where host_id = ${host}`)
}

function computeDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
