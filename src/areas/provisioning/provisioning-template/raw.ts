import type { Context } from '../../../context.ts'
import { createPresenter, type Resource, type Row, selectRecord } from '../../../kernel/index.ts'

/** The columns in the order of existing servers, which deletions, copies and imports answer. */
export const RAW_KEYS = [
  'id',
  'name',
  'template',
  'snippet',
  'template_kind_id',
  'created_at',
  'updated_at',
  'locked',
  'description',
  'cloned_from_id',
]

/** Loads a record with the keys that its deletion answers, with times in ISO format. */
export async function loadRawRecord(ctx: Context, resource: Resource, id: number): Promise<Row> {
  const found = await selectRecord(ctx.db, resource, resource.deletedView, id, [])
  return createPresenter(resource, resource.deletedView, 'iso')(found ?? {})
}

/** The resources whose records are template texts. */
export type TextResource = 'provisioning_template' | 'ptable' | 'report_template' | 'webhook_template'

/** The key that holds the text of a record. */
export function textKeyOf({ fields }: Resource): 'template' | 'layout' {
  return 'layout' in fields ? 'layout' : 'template'
}
