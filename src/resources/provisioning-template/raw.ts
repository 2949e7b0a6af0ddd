import type { Context } from '../../context.ts'
import { presenter, type Row } from '../../kernel/present.ts'
import type { Resource } from '../../kernel/resource.ts'
import { selectRecord } from '../../kernel/store/select.ts'

/** The columns in the order that existing servers keep them: what deletions, copies and imports answer. */
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
]

/** A record in these keys, times in ISO form. */
export async function rawRecord(ctx: Context, resource: Resource, id: number): Promise<Row> {
  const found = await selectRecord(ctx.db, resource, RAW_KEYS, id, [])
  return presenter(resource, RAW_KEYS, 'iso')(found ?? {})
}
