import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  defineResource,
  link,
  type ReadableKey,
  type Resource,
  remove,
  resolveParents,
  text,
  update,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { capitalized } from '../../../records/coerced.ts'
import { textIn } from '../../../records/text-in.ts'
import { SEARCH } from '../../../requests/languages.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { buildOwnerList, limitToOwned, refuseForOthers } from '../user/owned-records.ts'

const KEYS = ['id', 'user_id', 'mail_notification_id', 'interval', 'created_at', 'updated_at', 'mail_query']

/** The allowed intervals by kind of subject: periodic reports, and events. */
const INTERVALS: Readonly<Record<string, readonly string[]>> = {
  report: ['Daily', 'Weekly', 'Monthly'],
  alert: ['Subscribe', 'Subscribe to my hosts', 'Subscribe to all hosts'],
}

const guardPreferences: WriteWrapper<PreferenceFields> = {
  create: async (ctx, draft, next) => {
    refuseForOthers(ctx, draft.user, 'create_user_mail_notifications')
    await refuseUnfitting(ctx, draft.mail_notification, draft.interval, draft.mail_query)
    return next(draft)
  },
  update: async (ctx, stored, draft, next) => {
    const { interval = stored.interval, mail_query = stored.mail_query } = draft
    await refuseUnfitting(ctx, stored.mail_notification_id, interval, mail_query)
    await next(draft)
  },
}

const fields = {
  mail_notification: link('mail_notification', {
    required: true,
    onDelete: 'cascade',
    doc: 'Mail notification that is subscribed to; at most one subscription for each user.',
  }),
  interval: capitalized(
    text({
      required: true,
      oneOf: Object.values(INTERVALS).flat(),
      doc: 'Interval of a report, or the hosts that an alert covers; case is ignored.',
    }),
  ),
  mail_query: textIn(SEARCH, {
    max: 4096,
    doc: 'A search for what the mails are about, where they may have one.',
  }),
  user: link('user', { required: true, readOnly: true, onDelete: 'cascade', doc: 'User who subscribed.' }),
}

type PreferenceFields = typeof fields

/** The mails that a user wants and how often, at paths below the user that name a record by its mail notification. */
export const userMailNotifications = defineResource({
  name: 'user_mail_notification',
  words: { word: 'mail_notification' },
  summary:
    'A subscription of a user to a mail notification. The service sends no mail; other programs can read the subscription.',
  fields: fields,
  operations: ['create'],
  views: { list: [...KEYS, 'name', 'description'], show: [...KEYS, 'name', 'description'], order: 'id' },
  readable: {
    name: buildSubjectKey('name', 'Name of the mail notification.'),
    description: buildSubjectKey('description', 'Description of the mail notification.'),
  },
  routes: { parents: { user: 'user' }, nestedOnly: true },
  records: { own: limitToOwned, ownOperations: ['list', 'create', 'update', 'delete'] },
  wrapWrite: guardPreferences,
  actions: [
    buildOwnerList('user_mail_notifications'),
    {
      method: 'PUT',
      path: '/:mail_notification_id',
      name: 'update',
      summary: 'Change a mail subscription of a user',
      permissions: ['edit_user_mail_notifications'],
      own: true,
      takes: 'update',
      handle: async (ctx, resource, input) => update(ctx, resource, await withPreferenceId(ctx, resource, input)),
    },
    {
      method: 'DELETE',
      path: '/:mail_notification_id',
      name: 'delete',
      summary: 'Unsubscribe a user from a mail notification',
      permissions: ['destroy_user_mail_notifications'],
      own: true,
      outputs: 'deleted',
      handle: async (ctx, resource, input) => remove(ctx, resource, await withPreferenceId(ctx, resource, input)),
    },
  ],
})

/** The input with the id of the preference whose subject the path names. {@throws Failure} not_found */
async function withPreferenceId(ctx: Context, resource: Resource, input: Input): Promise<Input> {
  const { draft } = await resolveParents(ctx, resource, input)
  const { mail_notification_id: subject = '' } = input.params
  const wish = subject.includes('\0') ? undefined : await loadPreference(ctx, draft.user, subject)
  if (!wish) throw notFound('mail_notification', subject)
  return { ...input, params: { ...input.params, id: String(wish.id) } }
}

async function loadPreference(ctx: Context, user: unknown, subject: string): Promise<{ id: number } | undefined> {
  return row(
    ctx.db,
    sql`
      select w.id
      from user_mail_notifications w join mail_notifications n on n.id = w.mail_notification_id
      where w.user_id = ${user}::bigint and (n.id::text = ${subject}::text or n.name = ${subject}::text)`,
  )
}

/** Refuses intervals and queries that do not fit the subject. {@throws Failure} invalid */
async function refuseUnfitting(
  ctx: Context,
  subject: number,
  interval: string,
  query: string | null | undefined,
): Promise<void> {
  const about = await row<{ subscription_type: string; queryable: boolean }>(
    ctx.db,
    sql`select subscription_type, queryable from mail_notifications where id = ${subject}::bigint`,
  )
  const allowed = INTERVALS[about?.subscription_type ?? ''] ?? []
  if (!allowed.includes(interval))
    throw invalid({ interval: [`must be one of ${allowed.join(', ')} for mails of this kind`] })
  if (query && !about?.queryable) throw invalid({ mail_query: ['must be blank for mails of this kind'] })
}

function buildSubjectKey(column: 'name' | 'description', description: string): ReadableKey {
  return {
    schema: () => z.string().meta({ description }),
    sql: (alias) =>
      sql`(select ${sql.ref(`n.${column}`)} from mail_notifications n where n.id = ${sql.ref(`${alias}.mail_notification_id`)})`,
  }
}
