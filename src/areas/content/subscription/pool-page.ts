import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { contentListQuery, listQuery } from '../../../requests/paging.ts'
import { buildListSchema } from '../shared/envelope.ts'
import { buildNestedRecordSchema } from '../shared/nested-records.ts'
import { POOL } from './readable.ts'

const text = (description: string) => z.string().optional().meta({ description })
const may = (what: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `With include_permissions: whether the caller may ${what}.` })

/** The schema of a page of subscriptions. */
export const poolPage = buildListSchema(POOL, 'A page of subscriptions.').extend({
  can_create: may('make one'),
  can_edit: may('change some'),
  organization: buildNestedRecordSchema('id', 'name', 'label')
    .partial()
    .meta({ description: 'The organization that they are of.' }),
  can_manage_subscription_allocations: may('manage them'),
  can_import_manifest: may('import them'),
  can_delete_manifest: may('delete what was imported'),
  can_edit_organizations: may('change organizations'),
})

/** The query parameters of lists of subscriptions. */
export const poolQuery = {
  ...listQuery,
  ...contentListQuery,
  activation_key_id: text('Only those that this key has; with available_for=activation_key those that it has not.'),
  host_id: text('Only those that this host has; with available_for=host those that it could take.'),
  available_for: text('activation_key or host: what could be added to it.'),
  name: text('Only those with exactly this name.'),
  match_host: text('With available_for=host: true leaves those that are made for machines such as the host.'),
  match_installed: text('With available_for=host: true leaves those that provide what is installed on the host.'),
  no_overlap: text('With available_for=host: true leaves those that provide nothing the host has already.'),
}

/** Presents what the caller may do with subscriptions. */
export function presentPermissions(ctx: Context): Readonly<Record<string, boolean>> {
  const manages = hasPermission(ctx, 'manage_subscription_allocations')
  return {
    can_create: manages,
    can_edit: manages,
    can_manage_subscription_allocations: manages,
    can_import_manifest: hasPermission(ctx, 'import_manifest'),
    can_delete_manifest: hasPermission(ctx, 'delete_manifest'),
    can_edit_organizations: hasPermission(ctx, 'edit_organizations'),
  }
}
