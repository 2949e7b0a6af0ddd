import { asTrustedService } from '../../../context.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import { deleteExpiredToken } from '../../provisioning/index.ts'
import { type StatusKind, selectFromView } from './status-kind.ts'

/** The states of an installation: built, waiting, waiting with a token that counts no more, failed. */
export const BUILD_STATES = { built: 0, pending: 1, token_expired: 2, build_failed: 3 } as const

/** How far the installation of a host is, and how the last one ended. */
export const buildStatus: StatusKind = {
  type: 'build',
  doc: '0: installed, 1: waits to be, 2: the token is too old, 3: that failed.',
  ...selectFromView('build_states'),
  tables: ['build_tokens'],
  clear: async (tx, hosts, id) => {
    await deleteExpiredToken(tx, id)
    const stored = await lock(tx, hosts, id)
    await updateStored(asTrustedService(tx), hosts, stored, { build_errors: null })
  },
}
