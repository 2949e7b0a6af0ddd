import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import type { Around } from '../../../kernel/definition.ts'
import { changedAmong } from '../../../kernel/destinations.ts'
import type { Draft, Stored } from '../../../kernel/record.ts'
import { loadLacking, mayEscalate } from '../role/escalation.ts'
import { listFieldsWith } from './effects.ts'
import { dropUnsupportedNetgroups, withDefaults } from './ldap-fields.ts'

const NOT_YOURS = "can't be changed without all the rights that the people and groups of this source have"
const NOT_TRUSTED = 'can be switched on by administrators and those with the permission escalate_roles only'
const SWITCHED_OFF = `onthefly_register was switched off, because this changes whom logins are checked by: it ${NOT_TRUSTED}`

/**
 * Whoever decides where passwords are checked can log in as everybody there: what authenticates people is changed by those
 * who have their rights (docs/decisions/0015-secrets-and-destinations.md). The passwords of unknown logins go where somebody
 * with the right to escalate roles sent them, and nowhere else.
 */
export const directoryWrites: Around = {
  async create(ctx, draft, next) {
    if (draft.onthefly_register && !mayEscalate(ctx)) throw invalid({ onthefly_register: [NOT_TRUSTED] })
    const id = await next(withDefaults(draft))
    if (draft.onthefly_register) await trust(ctx, id)
    return id
  },
  async update(ctx, stored, draft, next, resource) {
    const values = dropUnsupportedNetgroups({ server_type: stored.server_type, ...draft })
    const changed = changedAmong(resource, stored, values, listFieldsWith('login', 'follows'))
    if (changed.length > 0) await refusePowerOver(ctx, stored.id, changed)
    if (mayEscalate(ctx)) {
      await next(values)
      if (draft.onthefly_register) await trust(ctx, stored.id)
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

/** The setting for new users of web servers names an external source, so its name decides whose groups they join. */
export const externalSourceWrites: Around = {
  async update(ctx, stored, draft, next, resource) {
    const changed = changedAmong(resource, stored, draft, ['name'])
    if (changed.length > 0) await refusePowerOver(ctx, stored.id, changed)
    await next(draft)
  },
}

/** The people who log in through a source, and the groups that groups there stand for. */
async function refusePowerOver(ctx: Context, source: number, changed: readonly string[]): Promise<void> {
  const lacking = await loadLacking(ctx, {
    users: sql`select id from users where auth_source_id = ${source}`,
    usergroups: sql`select usergroup_id from external_usergroups where auth_source_id = ${source}`,
  })
  if (lacking) throw invalid(Object.fromEntries(changed.map((name) => [name, [NOT_YOURS]])), source)
}

/** Its audit says by whom; the answer shows it, and says why. */
function withoutRegistration(ctx: Context, stored: Stored, values: Draft): Draft {
  ctx.warn?.(SWITCHED_OFF)
  ctx.log.warn({ source: stored.id, user: ctx.user.id }, 'registration of unknown users switched off')
  return { ...values, onthefly_register: false }
}

/** Notes that somebody who may has switched registration on. */
async function trust(ctx: Context, source: number): Promise<void> {
  await sql`update auth_sources set onthefly_trusted = true where id = ${source} and not onthefly_trusted`.execute(
    ctx.db,
  )
}
