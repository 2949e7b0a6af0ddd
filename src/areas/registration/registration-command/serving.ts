import type { X509Certificate } from 'node:crypto'
import type { Actor, Context } from '../../../context.ts'
import type { Db } from '../../../database/sql.ts'
import type { Encryption } from '../../../encryption.ts'
import type { Registry } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { isSignedBy, openAuthority } from '../authority.ts'
import { listClientEndpoints } from '../client/endpoints.ts'
import { createGate } from '../gate.ts'
import { formatFailingScript } from '../script.ts'
import { loadTokenHolder } from '../tokens.ts'
import { createHostRecords } from './host-records.ts'
import { storeHostOfScript } from './host-script.ts'
import { showScript } from './show-script.ts'

/** What the two ways to serve registrations need. */
interface Serving {
  readonly db: Db
  readonly encryption: Encryption
  readonly registry: Registry
  readonly version: string
  /** The number of connections to the database. */
  readonly connections: number
  readonly actor: (user: number) => Promise<Actor | undefined>
  /** PEM certificates of the listener; null for HTTP. */
  readonly certificates: string | null
}

/**
 * Serves the requests of subscription clients, and identifies hosts (content-api §5.4). Registrations may use half of the
 * connections.
 */
export function createClientServing({ db, encryption, registry, version, connections }: Serving) {
  const gate = createGate(Math.ceil(connections / 2))
  return {
    endpoints: listClientEndpoints(createHostRecords(registry), version, gate),
    isOurs: async (certificate: X509Certificate) => isSignedBy(await openAuthority(db, encryption), certificate),
  }
}

/** Serves the requests of registration commands, on behalf of their users (content-api §5.1). */
export function createCommandServing({ db, encryption, registry, actor: actorWith, certificates }: Serving) {
  return {
    authority: async () => (await openAuthority(db, encryption)).certificate,
    failing: formatFailingScript,
    holderOf: async (token: string, isUse: boolean) => {
      const holder = await loadTokenHolder(db, token, isUse)
      const actor = holder && (await actorWith(holder.user))
      if (!holder || !actor) return undefined
      const served = { token, holder, certificates }
      return {
        actor,
        show: (ctx: Context, input: Input) => showScript(ctx, registry, input, served),
        place: (ctx: Context, input: Input) => storeHostOfScript(ctx, registry, input, served),
      }
    },
  }
}
