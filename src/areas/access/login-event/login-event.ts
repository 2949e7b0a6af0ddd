import { type Context, holdsForAll } from '../../../context.ts'
import {
  type Condition,
  defineResource,
  joinConditions,
  limitToVisible,
  link,
  listTables,
  type Resource,
  text,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

const KEYS = ['id', 'created_at', 'user_id', 'user', 'outcome', 'method', 'reason', 'address']

/** Logins of the past, granted and refused. Those of unknown users are for callers who see all users. */
export const loginEvents = defineResource({
  name: 'login_event',
  summary: 'A login that was granted or refused.',
  fields: {
    user: link('user', {
      readOnly: true,
      show: ['id', 'login'],
      onDelete: 'cascade',
      search: true,
      doc: 'The user; null for a login that nobody has.',
    }),
    outcome: text({ readOnly: true, required: true, search: 'free', doc: 'granted or refused.' }),
    method: text({
      readOnly: true,
      required: true,
      search: 'explicit',
      doc: 'password, token, session, delegated or factor.',
    }),
    reason: text({ readOnly: true, search: 'free', doc: 'Why it was refused.' }),
    address: text({ readOnly: true, required: true, search: 'free', doc: 'Address of the client.' }),
  },
  operations: ['list', 'show'],
  views: { list: KEYS, show: KEYS, order: 'id desc' },
  records: { limits: limitToSeenUsers, tables: ['users'] },
  audited: false,
})

/** Leaves logins of users whom the caller sees; those of nobody's login for callers who see all users. */
function limitToSeenUsers(ctx: Context, { links }: Resource): Condition[] {
  const users = links.get('user')?.target
  if (!users) return []
  const seen = limitToVisible(ctx, users, 'view_users', true)
  return [
    {
      sql: sql`((t.user_id is null and ${holdsForAll(ctx, 'view_users')})
        or t.user_id in (select t.id from users t where ${joinConditions(seen)}))`,
      tables: ['users', ...listTables(seen)],
    },
  ]
}
