import type { X509Certificate } from 'node:crypto'
import type { Actor, Context } from '../../../context.ts'
import type { Db } from '../../../database/sql.ts'
import type { Encryption } from '../../../encryption/encryption.ts'
import type { Registry } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { isSignedBy, openAuthority } from '../authority/authority.ts'
import { isSignedByFormer } from '../authority/former.ts'
import { formatFailingScript, formatRegistrationScript } from '../authority/script.ts'
import { listClientEndpoints } from '../client/endpoints.ts'
import { createGate } from '../gate.ts'
import { loadTokenHolder } from '../tokens.ts'
import { resolveBaseUrl } from './command.ts'
import { createHostRecords } from './host-records.ts'
import { storeHostOfScript } from './host-script.ts'
import { type Options, readOptionsOfToken, refuseOtherKeys, resolveKeyNames, resolveOrganization } from './options.ts'
import { answerScript, OF_HOST, requirePermission, type Served } from './script-answer.ts'

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
    isOurs: async (certificate: X509Certificate) =>
      isSignedBy(await openAuthority(db, encryption), certificate) || isSignedByFormer(db, certificate),
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

/** `GET /register`: answers the script that registers a host (content-api §5.1), in the context of the token's user. */
async function showScript(ctx: Context, registry: Registry, input: Input, served: Served): Promise<Answer> {
  requirePermission(ctx)
  const options = await readOptionsOfToken(ctx, registry, input.query, served.holder)
  const owner = await resolveOrganization(ctx, options)
  const keys = await resolveKeyNames(ctx, options)
  refuseOtherKeys(keys, served.holder)
  const script = formatRegistrationScript({
    base: await resolveBaseUrl(ctx, input, options),
    token: served.token,
    certificates: served.certificates,
    owner: owner.label,
    keys,
    host: sentOfHost(options, owner.id),
    packages: options.packages ?? [],
    repository: options.repo || null,
    repositoryKey: options.repo_gpg_key_url || null,
    updatePackages: options.update_packages === true,
    force: options.force === true,
    ignoreClientErrors: options.ignore_subman_errors === true,
    insecure: options.insecure === true,
  })
  return answerScript(script)
}

const SET_UP = ['setup_insights', 'setup_remote_execution'] as const

function sentOfHost(options: Options, organization: number): Record<string, string> {
  const ids = OF_HOST.flatMap((key) =>
    typeof options[key] === 'number' ? [[`host[${key}]`, String(options[key])]] : [],
  )
  const flags = SET_UP.flatMap((key) => (typeof options[key] === 'boolean' ? [[key, String(options[key])]] : []))
  return Object.fromEntries([
    ['host[build]', 'false'],
    ['host[organization_id]', String(organization)],
    ...ids,
    ...flags,
  ])
}
