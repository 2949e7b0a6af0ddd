import { asTrustedService } from '../../../context.ts'
import { lock, updateStored } from '../../../kernel/index.ts'
import { deleteExpiredToken } from '../../provisioning/index.ts'
import { type StatusKind, selectFromView } from './status-kind.ts'

/** The states of an installation: done, waiting, waiting with an expired token, failed. */
export const BUILD_STATES = { built: 0, pending: 1, token_expired: 2, build_failed: 3 } as const

/** The status of a host's installation. */
export const buildStatus: StatusKind = {
  type: 'build',
  doc: '0: installed, 1: waiting for the installation, 2: the token has expired, 3: the installation failed.',
  ...selectFromView('build_states'),
  tables: ['build_tokens'],
  clear: async (tx, hosts, id) => {
    await deleteExpiredToken(tx, id)
    const stored = await lock(tx, hosts, id)
    await updateStored(asTrustedService(tx), hosts, stored, { build_errors: null })
  },
}
