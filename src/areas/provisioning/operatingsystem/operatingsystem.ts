import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import { type Draft, defineResource, type Stored, type WriteWrapper } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { familyOf } from '../../inventory/index.ts'
import { ownParamSearch, presentParameters } from '../../parameters/index.ts'
import { bootfiles } from './bootfiles.ts'
import { type OperatingsystemFields, operatingsystemFields } from './fields.ts'

/**
 * Keeps versions of operating systems unique (core-api §11). Constraints guarantee it; this check names the field. New ones
 * without a family get the one that their name tells.
 */
const operatingsystemWrites: WriteWrapper<OperatingsystemFields> = {
  async create(ctx, draft, next) {
    await refuseKnown(ctx, draft, null)
    return next({ ...draft, family: draft.family ?? familyOf(String(draft.name)) })
  },
  async update(ctx, stored, draft, next) {
    await refuseKnown(ctx, draft, stored)
    await next(draft)
  },
}

const TAKEN = 'has already been taken'
const KNOWN = 'Operating system version already exists'

/** Refuses a name and version, or a title, that another operating system has. {@throws Failure} invalid */
async function refuseKnown(
  ctx: Context,
  draft: Draft<OperatingsystemFields>,
  stored: Stored<OperatingsystemFields> | null,
): Promise<void> {
  const { name, major, minor = '', description = null } = { ...stored, ...draft }
  const found = await row<{ version: boolean; title: boolean }>(
    ctx.db,
    sql`
      with wanted (name, major, minor, description) as (
        select ${name}::text, ${major}::text, coalesce(${minor}::text, ''), ${description}::text
      ), titled as (
        select *, case when description <> '' then description
          else name || ' ' || major || case when minor = '' then '' else '.' || minor end end as title from wanted
      )
      select coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
        coalesce(bool_or(o.title = w.title), false) as title
      from operatingsystems o join titled w on o.title = w.title or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
      where o.id is distinct from ${stored?.id ?? null}::bigint`,
  )
  const errors: FieldErrors = { ...(found?.version && { name: [KNOWN] }), ...(found?.title && { title: [TAKEN] }) }
  refuseInvalid(errors, stored?.id ?? null)
}

const KEYS = [
  'description',
  'major',
  'minor',
  'family',
  'release_name',
  'password_hash',
  'created_at',
  'updated_at',
  'id',
  'name',
  'title',
]

/** Operating systems (core-api §11). */
export const operatingsystems = defineResource({
  name: 'operatingsystem',
  summary: 'An operating system that hosts are provisioned with.',
  fields: operatingsystemFields,
  label: 'title',
  search: [
    ownParamSearch('operatingsystem'),
    searchByLinked('template', {
      through: 'template_operatingsystems',
      own: 'operatingsystem_id',
      other: 'template_id',
      table: 'templates',
      resource: 'provisioning_template',
    }),
  ],
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [
      ...KEYS,
      'media',
      'architectures',
      'ptables',
      'provisioning_templates',
      'os_default_templates',
      'images',
      'parameters',
    ],
    transform: presentParameters,
  },
  routes: {
    parents: {
      architecture: 'architectures',
      medium: 'media',
      ptable: 'ptables',
      provisioning_template: 'provisioning_templates',
    },
  },
  rules: [
    // One whose family was deduced may lack the name, and keeps lacking it until somebody says either.
    ({ family, release_name }, _draft, _ctx, stored) =>
      family === 'Debian' && !release_name && (stored?.family !== family || stored.release_name)
        ? { release_name: ["can't be blank"] }
        : undefined,
  ],
  wrapWrite: operatingsystemWrites,
  actions: [bootfiles],
})
