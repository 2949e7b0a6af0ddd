import { asTrustedService, type Context, inTransaction } from '../../../context.ts'
import { isStorable } from '../../../database/storable.ts'
import { type Draft, findResource, lock, type Registry, updateStored } from '../../../kernel/index.ts'
import { findByToken } from './asking-host.ts'

const LONGEST = 65_535

/**
 * Ends the installation of the host with this token, when its machine reports the end; the token is deleted, so that a
 * second report finds no host, and the change is audited. {@throws Failure} like findByToken
 */
export async function endBuild(ctx: Context, registry: Registry, token: string, failure: string | null): Promise<void> {
  const hosts = findResource(registry, 'host')
  await inTransaction(asTrustedService(ctx), async (tx) => {
    // Locks the host first, as all writes of hosts do: a request that waited for it finds the token gone.
    await lock(tx, hosts, (await findByToken(tx, token)).id)
    const { id } = await findByToken(tx, token)
    const stored = await lock(tx, hosts, id)
    const outcome: Draft =
      failure === null
        ? { installed_at: tx.now().toISOString(), build_errors: null }
        : { build_errors: toStorable(failure) || 'The machine says that its installation failed, and not why.' }
    await updateStored(tx, hosts, stored, { build: false, otp: null, ...outcome })
  })
  ctx.log.info({ failed: failure !== null }, 'installation ended')
}

/** The message of a machine as the database can store it, shortened to the longest text. */
function toStorable(text: string): string {
  const plain = text.replaceAll('\0', '').trim()
  return [...(isStorable(plain) ? plain : plain.toWellFormed())].slice(0, LONGEST).join('')
}
