import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import {
  type Draft,
  type Fields,
  listChanged,
  type Registry,
  type Stored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { endSessionsAtProvider } from '../openid/sessions.ts'
import { loadLacking, mayEscalate, mayGiveToAnybody, selectRolesAround } from '../role/escalation.ts'
import { type Effect, LDAP_EFFECTS, listFieldsWith, OIDC_EFFECTS } from './effects.ts'
import type { LdapFields } from './ldap-fields.ts'
import { dropUnsupportedNetgroups, withDefaults } from './ldap-fields.ts'
import { type OidcFields, withProviderDefaults } from './oidc-fields.ts'

const NOT_YOURS = "can't be changed without all the rights that the people and groups of this source have"
const NOT_TRUSTED = 'can be switched on by administrators and those with the permission escalate_roles only'
const SWITCHED_OFF = `onthefly_register was switched off, because this changes whom logins are checked by: it ${NOT_TRUSTED}`

/** A kind of source: what its fields bring about, and how values that were sent are completed. */
interface Kind<F extends SourceFields> {
  readonly effects: Readonly<Record<string, Effect>>
  readonly complete: (draft: Draft<F>, stored: Stored<F> | null) => Draft<F>
}

/** The fields by which the guard tells what a change means. */
type SourceFields = Fields & Pick<LdapFields, 'onthefly_register'>

/**
 * Protects sources: who decides where logins are checked can log in as anybody there. So changes of a directory or a provider
 * need the rights of all its users (docs/decisions/0015-secrets-and-destinations.md), and unknown people are let in only by a
 * source that somebody with the permission `escalate_roles` has set up so.
 */
function guardSource<F extends SourceFields>({ effects, complete }: Kind<F>): WriteWrapper<F> {
  return {
    async create(ctx, draft, next) {
      if (draft.onthefly_register && !mayEscalate(ctx)) throw invalid({ onthefly_register: [NOT_TRUSTED] })
      const id = await next(complete(draft, null) as typeof draft) // completing removes nothing
      if (draft.onthefly_register) await storeTrust(ctx, id)
      return id
    },
    async update(ctx, stored, draft, next, resource) {
      const values = complete(draft, stored)
      const changed = listChanged(resource, stored, values, listFieldsWith(effects, 'login', 'follows'))
      if (changed.length > 0) await refusePowerOver(ctx, resource.registry, stored.id, changed)
      if (mayEscalate(ctx)) {
        await next(values)
        if (draft.onthefly_register) await storeTrust(ctx, stored.id)
        return
      }
      if (values.onthefly_register && !isRegistering(stored)) {
        throw invalid({ onthefly_register: [NOT_TRUSTED] }, stored.id)
      }
      const login = listFieldsWith(effects, 'login')
      const distrusts = isRegistering(stored) && changed.some((name) => login.includes(name))
      await next(distrusts ? withoutRegistration(ctx, stored, values) : values)
    },
  }
}

function isRegistering(stored: Readonly<Record<string, unknown>>): boolean {
  return stored.onthefly_register === true
}

/** Protects directories. */
export const directoryWrites: WriteWrapper<LdapFields> = guardSource({
  effects: LDAP_EFFECTS,
  complete: (draft, stored) =>
    stored ? dropUnsupportedNetgroups({ server_type: stored.server_type, ...draft }) : withDefaults(draft),
})

/** Protects providers. */
export const providerWrites: WriteWrapper<OidcFields> = {
  ...guardSource<OidcFields>({
    effects: OIDC_EFFECTS,
    complete: (draft, stored) => (stored ? draft : withProviderDefaults(draft)),
  }),
  async delete(ctx, stored, next) {
    await endSessionsAtProvider(ctx.db, stored.id, { sid: null, subject: null })
    await next()
  },
}

/**
 * Protects the names of external sources: a setting refers by name to the source that new users join, with its groups.
 */
export const externalSourceWrites: WriteWrapper<LdapFields> = {
  async update(ctx, stored, draft, next, resource) {
    const changed = listChanged(resource, stored, draft, ['name'])
    if (changed.length > 0) await refusePowerOver(ctx, resource.registry, stored.id, changed)
    await next(draft)
  },
}

/**
 * Refuses to change a source unless the caller has the rights of everybody who logs in through it or joins groups by
 * it. Whom a source names for a linked group may belong to any organization and location.
 */
async function refusePowerOver(
  ctx: Context,
  registry: Registry,
  source: number,
  changed: readonly string[],
): Promise<void> {
  const usergroups = sql`select usergroup_id from external_usergroups where auth_source_id = ${source}`
  const users = sql`
    select id from users where auth_source_id = ${source}
    union select user_id from user_identities where auth_source_oidc_id = ${source}`
  const lacking = await loadLacking(ctx, { users, usergroups })
  if (lacking === null && (await mayGiveToAnybody(ctx, registry, selectRolesAround(usergroups)))) return
  throw invalid(Object.fromEntries(changed.map((name) => [name, [NOT_YOURS]])), source)
}

/**
 * Switches registration off when a change is by somebody who may not allow it. Answer and audit show the new
 * value, and the answer warns.
 */
function withoutRegistration<Values>(ctx: Context, stored: { readonly id: number }, values: Values): Values {
  ctx.warn?.(SWITCHED_OFF)
  ctx.log.warn({ source: stored.id, user: ctx.user.id }, 'registration of unknown users switched off')
  return { ...values, onthefly_register: false }
}

/** Records that registration was switched on by somebody with the permission to. */
async function storeTrust(ctx: Context, source: number): Promise<void> {
  await sql`update auth_sources set onthefly_trusted = true where id = ${source} and not onthefly_trusted`.execute(
    ctx.db,
  )
}
