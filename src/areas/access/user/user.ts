import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { boolean, type Definition, type Field, link, links, secret, text, timestamp } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { nestedList } from '../../../records/nested.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { TIME_ZONE } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'
import { LOGIN_NAME, LONGEST_LOGIN } from '../identity/login-names.ts'
import { hashPassword, verifyPassword } from '../identity/passwords.ts'
import { deleteUser } from './delete.ts'
import { isAdministrator, selectUsergroupIds } from './groups.ts'
import { userWrites } from './guard.ts'
import { may } from './may.ts'
import { userSearch } from './search.ts'

const SCOPE = ['id', 'name', 'title', 'description']
const KEYS = [
  'firstname',
  'lastname',
  'mail',
  'mail_enabled',
  'admin',
  'auth_source_id',
  'disabled',
  'auth_source_name',
  'timezone',
  'locale',
  'last_login_on',
  'created_at',
  'updated_at',
  'id',
  'login',
  'description',
  'ssh_keys',
  'default_location',
  'locations',
  'default_organization',
  'organizations',
  'effective_admin',
]

/** The declaration of users (core-api §4, §7, §11). */
export const user = {
  name: 'user',
  routes: {
    invalidates: 'identities',
    parents: {
      usergroup: 'usergroups',
      role: 'roles',
      auth_source_internal: 'auth_source',
      auth_source_ldap: 'auth_source',
      auth_source_external: 'auth_source',
    },
  },
  summary: 'A person or program that can log in.',
  fields: {
    login: text({
      required: true,
      max: LONGEST_LOGIN,
      pattern: LOGIN_NAME,
      taken: 'already exists',
      search: 'free',
      doc: 'Must be unique (case-insensitive).',
    }),
    firstname: text({ max: 50, search: 'free', doc: 'First name.' }),
    lastname: text({ max: 50, search: 'free', doc: 'Last name.' }),
    mail: text({
      max: 254,
      pattern: { regexp: /^[^\s@]+@[^\s@]+$/u, message: 'is not an email address' },
      search: 'free',
      doc: 'Email address. You can change it later, but not remove it.',
    }),
    mail_enabled: boolean({
      initial: false,
      doc: 'Whether other programs may send mail to the user. This service sends none.',
    }),
    description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
    admin: boolean({ initial: false, doc: 'May do everything. Set by administrators only.' }),
    disabled: boolean({ initial: false, search: 'explicit', doc: 'May not log in.' }),
    auth_source: link('auth_source', {
      required: true,
      show: ['id', 'type', 'name'],
      search: true,
      doc: 'Authentication source that checks the password.',
    }),
    // Forms send it blank for users of a directory.
    password: blankAsNull(
      secret({
        min: 8,
        seal: ({ passwordMemoryMiB }, plain) => hashPassword(plain, passwordMemoryMiB),
        sentTo: [],
        doc: 'For users of the internal source, at least 8 characters. Blank: no change.',
      }),
    ),
    current_password: unstored(
      secret({
        seal: isPasswordOfCaller,
        sentTo: [],
        doc: 'Current password: required if you change your own password without permission to edit users.',
      }),
    ),
    timezone: textIn(TIME_ZONE, {
      doc: 'IANA name of the time zone for dates in searches.',
    }),
    locale: text({
      max: 10,
      pattern: { regexp: /^[a-z]{2}(_[A-Z]{2})?$/, message: 'must be like en or pt_BR' },
      doc: 'Language.',
    }),
    last_login_on: timestamp({ readOnly: true, search: 'explicit', doc: 'The last login, to the minute.' }),
    default_location: link('location', { onDelete: 'clear', show: SCOPE, doc: 'Context of new sessions.' }),
    default_organization: link('organization', { onDelete: 'clear', show: SCOPE, doc: 'Context of new sessions.' }),
    roles: links('role', {
      through: 'user_roles',
      show: ['id', 'name', 'description', 'origin'],
      doc: 'Directly assigned roles.',
    }),
    usergroups: links('usergroup', {
      through: 'usergroup_users',
      search: true,
      readOnly: true,
      doc: 'Groups it is a direct member of.',
    }),
    mail_notifications: links('mail_notification', {
      through: 'user_mail_notifications',
      show: ['id', 'name', 'description', 'subscription_type'],
      readOnly: true,
      doc: 'Mail notifications that the user subscribed to.',
    }),
    ssh_keys: children('ssh_key', { show: ['id', 'name', 'fingerprint'], doc: 'Public keys of the user.' }),
    ...buildTaxonomyFields('user'),
  },
  operations: ['list', 'show', 'create', 'update'],
  label: 'login',
  views: {
    list: KEYS,
    show: [...KEYS, 'mail_notifications', 'cached_usergroups', 'auth_source', 'roles', 'usergroups'],
  },
  readable: {
    effective_admin: {
      schema: () => z.boolean().meta({ description: 'Administrator, also through a user group.' }),
      sql: isAdministrator,
    },
    cached_usergroups: nestedList('All its groups, at any depth.', (_own, alias) => ({
      keys: {
        id: [z.int().meta({ description: 'Id of the group.' }), sql`g.id`],
        name: [z.string().meta({ description: 'Its name.' }), sql`g.name`],
      },
      from: sql`usergroups g where g.id in ${selectUsergroupIds(alias)}`,
      order: sql`g.name`,
    })),
  },
  search: [
    ...userSearch,
    {
      name: 'auth_source_type',
      type: 'text',
      column: 'type',
      through: [{ table: 'auth_sources', column: 'id', previous: 'auth_source_id' }],
      explicit: true,
    },
  ],
  visibility: { taxable: true },
  records: {
    where: (_ctx, alias) =>
      sql`exists (select from auth_sources s where s.id = ${sql.ref(`${alias}.auth_source_id`)} and s.type <> 'AuthSourceHidden')`,
    own: (ctx, alias) => sql`${sql.ref(`${alias}.id`)} = ${ctx.user.id}`,
    tables: ['auth_sources'],
  },
  rules: [
    // Machine accounts have no address, but one that was set cannot be removed.
    ({ mail }, _draft, _ctx, stored) => (stored?.mail && !mail ? { mail: ["can't be blank"] } : undefined),
    (_user, { admin }, ctx, stored) =>
      admin !== undefined && admin !== (stored?.admin ?? false) && !ctx.user.admin
        ? { admin: ['can be set by administrators only'] }
        : undefined,
  ],
  around: userWrites,
  actions: [deleteUser, may],
} as const satisfies Definition

/** The field without its column: what is sent for it is validated, and not stored. */
function unstored({ column: _column, ...field }: Field): Field {
  return field
}

/** Whether a text is the caller's password. A wrong one counts as a failed login (core-api §4.8). */
async function isPasswordOfCaller(ctx: Context, plain: string): Promise<boolean> {
  // A failure that is counted inside of a transaction would be rolled back with it.
  if (ctx.db.isTransaction) throw invalid({ current_password: ['has to be sent in a request of its own'] })
  await ctx.lockout.check(ctx.origin.address)
  const caller = await row<{ password: string | null }>(
    ctx.db,
    sql`select password from users where id = ${ctx.user.id}`,
  )
  const isRight = (await verifyPassword(caller?.password ?? null, plain, ctx.passwordMemoryMiB)) !== 'wrong'
  if (!isRight) await ctx.lockout.fail(ctx.origin.address)
  return isRight
}
