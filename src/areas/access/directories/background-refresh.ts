import { DirectoryError } from '../../../directory/errors.ts'
import { usesOwnAccount } from '../../../directory/source.ts'
import { type RefreshContext, refreshGroups } from './group-refresh.ts'
import { loadSources, type Source } from './sources.ts'
import { disableVanished } from './vanished.ts'

/**
 * Updates the groups of every directory and disables users who have left it
 * (docs/decisions/0006-directory-removal.md). Failures of a directory are logged and do not keep the others from being
 * updated. Directories without a service account cannot be asked and are skipped.
 */
export async function refreshDirectories(ctx: RefreshContext, signal: AbortSignal): Promise<void> {
  for (const source of await loadSources(ctx.db, ctx.encryption)) {
    if (signal.aborted) return
    if (!usesOwnAccount(source.directory)) await refreshDirectory(ctx, source, signal)
  }
}

async function refreshDirectory(ctx: RefreshContext, source: Source, signal: AbortSignal): Promise<void> {
  try {
    if (source.usergroupSync) await refreshGroups(ctx, source.directory.id, 'all', { guarded: true })
    await disableVanished(ctx, source, signal)
  } catch (err) {
    if (!(err instanceof DirectoryError)) throw err
    ctx.log.warn({ err, source: source.directory.id }, 'directory refresh failed')
  }
}
