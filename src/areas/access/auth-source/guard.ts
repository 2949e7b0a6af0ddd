import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { type Draft, listChanged, type Registry, type Stored, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { loadLacking, mayEscalate, mayGiveToAnybody, selectRolesAround } from '../role/escalation.ts'
import { listFieldsWith } from './effects.ts'
import type { LdapFields } from './ldap-fields.ts'
import { dropUnsupportedNetgroups, withDefaults } from './ldap-fields.ts'

const NOT_YOURS = "can't be changed without all the rights that the people and groups of this source have"
const NOT_TRUSTED = 'can be switched on by administrators and those with the permission escalate_roles only'
const SWITCHED_OFF = `onthefly_register was switched off, because this changes whom logins are checked by: it ${NOT_TRUSTED}`

/**
 * Protects directories: who decides where passwords are checked can log in as anybody there. So changes of a directory
 * need the rights of all its users (docs/decisions/0015-secrets-and-destinations.md), and passwords of unknown logins go
 * only where somebody with the permission `escalate_roles` has sent them.
 */
export const directoryWrites: WriteWrapper<LdapFields> = {
  async create(ctx, draft, next) {
    if (draft.onthefly_register && !mayEscalate(ctx)) throw invalid({ onthefly_register: [NOT_TRUSTED] })
    const id = await next(withDefaults(draft))
    if (draft.onthefly_register) await storeTrust(ctx, id)
    return id
  },
  async update(ctx, stored, draft, next, resource) {
    const values = dropUnsupportedNetgroups({ server_type: stored.server_type, ...draft })
    const changed = listChanged(resource, stored, values, listFieldsWith('login', 'follows'))
    if (changed.length > 0) await refusePowerOver(ctx, resource.registry, stored.id, changed)
    if (mayEscalate(ctx)) {
      await next(values)
      if (draft.onthefly_register) await storeTrust(ctx, stored.id)
      return
    }
    if (values.onthefly_register && !stored.onthefly_register) {
      throw invalid({ onthefly_register: [NOT_TRUSTED] }, stored.id)
    }
    const login = listFieldsWith('login')
    const distrusts = stored.onthefly_register === true && changed.some((name) => login.includes(name))
    await next(distrusts ? withoutRegistration(ctx, stored, values) : values)
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
  const users = sql`select id from users where auth_source_id = ${source}`
  const lacking = await loadLacking(ctx, { users, usergroups })
  if (lacking === null && (await mayGiveToAnybody(ctx, registry, selectRolesAround(usergroups)))) return
  throw invalid(Object.fromEntries(changed.map((name) => [name, [NOT_YOURS]])), source)
}

/**
 * Switches registration off when a change is by somebody who may not allow it. Answer and audit show the new
 * value, and the answer warns.
 */
function withoutRegistration(ctx: Context, stored: Stored<LdapFields>, values: Draft<LdapFields>): Draft<LdapFields> {
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
