import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { boolean, type Field, link, links, secret, text, timestamp, type Unstored } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { TIME_ZONE } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'
import { LOGIN_NAME, LONGEST_LOGIN } from '../identity/login-names.ts'
import { hashPassword, verifyPassword } from '../identity/passwords.ts'

const SCOPE = ['id', 'name', 'title', 'description']

/** The fields of users (core-api §4, §7, §11). */
export const userFields = {
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
  usergroups: withFreeText(
    links('usergroup', {
      through: 'usergroup_users',
      search: true,
      readOnly: true,
      doc: 'Groups it is a direct member of.',
    }),
  ),
  mail_notifications: links('mail_notification', {
    through: 'user_mail_notifications',
    show: ['id', 'name', 'description', 'subscription_type'],
    readOnly: true,
    doc: 'Mail notifications that the user subscribed to.',
  }),
  ssh_keys: children('ssh_key', { show: ['id', 'name', 'fingerprint'], doc: 'Public keys of the user.' }),
  ...buildTaxonomyFields('user'),
}

/** The fields above, by which drafts and rows are typed. */
export type UserFields = typeof userFields

/** The field, whose names are part of free text. */
function withFreeText<F extends Field>(field: F): F {
  return {
    ...field,
    search: (at) => field.search(at).map((found) => ({ ...found, explicit: found.type !== 'text' })),
  }
}

/** The field without its column: what is sent for it is validated, and not stored. */
function unstored<Value>(field: Field<Value>): Field<Value> & Unstored {
  return { ...field, column: undefined, elsewhere: undefined }
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
