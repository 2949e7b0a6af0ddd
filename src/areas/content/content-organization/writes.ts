import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Action, create, type Field, update, type WriteWrapper } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'

/** Creates an organization, which gets its Library and its default view. */
export const createOrganization: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a new organization',
  permissions: ['create_organizations'],
  takes: 'create',
  status: 201,
  handle: (ctx, organizations, input) => create(ctx, organizations, gatherKeys(organizations.word, input)),
}

/** Changes an organization. Its label cannot be changed, because hosts register with it. */
export const updateOrganization: Action = {
  method: 'PUT',
  path: '/:id',
  name: 'update',
  summary: 'Change one organization',
  permissions: ['edit_organizations'],
  takes: 'update',
  handle: (ctx, organizations, input) => update(ctx, organizations, gatherKeys(organizations.word, input)),
}

/** Keys that clients send beside the object instead of in it (content-api §8.5). */
const BESIDE = ['simple_content_access', 'cdn_url', 'service_level', 'label']

function gatherKeys(word: string, { body, ...input }: Input): Input {
  const whole = body[word]
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return { ...input, body }
  const beside = Object.fromEntries(BESIDE.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]))
  return { ...input, body: { ...body, [word]: { ...beside, ...whole } } }
}

type Leveled = { readonly service_level: Field<string | null>; readonly label: Field<string> }

/** Validates the service level of an organization. A new one has no subscriptions, so that any level is allowed. */
export const organizationWrites: WriteWrapper<Leveled> = {
  async update(ctx, stored, draft, next) {
    if (draft.service_level && draft.service_level !== stored.service_level)
      await refuseUnknownLevel(ctx, stored.id, draft.service_level, stored.label)
    await next(draft)
  },
}

/** Refuses a service level that no subscription has, if some have one (content-api §2.9). {@throws Failure} invalid */
async function refuseUnknownLevel(ctx: Context, id: number, level: string, label: string): Promise<void> {
  const found = await row<{ stated: boolean; known: boolean }>(
    ctx.db,
    sql`select count(*) > 0 as stated, coalesce(bool_or(fold(support_level) = fold(${level}::text)), false) as known
      from subscriptions where organization_id = ${id} and support_level <> ''`,
  )
  if (!found?.stated || found.known) return
  const message = `"${level}" is not available to units of organization ${label}.`
  throw invalid({ service_level: [message] }, id)
}
