import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Field, type FieldPosition, links, lock, removeStored, text } from '../../../kernel/index.ts'
import { readNumbers } from '../../../lib/values.ts'
import { children } from '../../../records/children.ts'
import { buildIdsSchema } from '../../../requests/named.ts'
import { sql } from '../../../sql.ts'
import { refuseForeignOverrides } from '../override-value/guard.ts'
import { appliedTo } from './applied.ts'

/** The fields of config classes (smart-parameters §8). */
export const classFields = {
  name: text({
    required: true,
    pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
    search: 'free',
    doc: 'Unique, for example web::ssl.',
  }),
  environments: links('environment', {
    through: 'configclass_environments',
    show: ['name', 'id'],
    doc: 'Environments of the class.',
  }),
  hostgroups: links('hostgroup', {
    through: 'hostgroup_configclasses',
    show: ['id', 'name', 'title', 'description'],
    doc: 'Host groups to which it is assigned directly.',
  }),
  smart_class_parameters: ownParameters(),
  hosts: appliedTo('host', 'Hosts that have it in any way.', isAmong),
  groups: appliedTo('hostgroup', 'Host groups that have it in any way.', isAmong),
}

/** The fields above, by which drafts and rows are typed. */
export type ClassFields = typeof classFields

function isAmong(alias: string, classes: Sql): Sql {
  return sql`${sql.ref(`${alias}.id`)} in (${classes})`
}

/**
 * The field for the parameters of a class. They come from imports, so a request can only list the parameters to keep
 * (smart-parameters §8); others are deleted with their values.
 */
function ownParameters(): Field<readonly number[] | null> {
  const doc = 'Its parameters; ids that are left out of a list are deleted.'
  const ids = buildIdsSchema().nullable()
  return {
    ...children('smart_class_parameter', { by: 'configclass_id', show: ['parameter', 'id'], doc: 'Its parameters.' }),
    doc,
    writable: () => ({ smart_class_parameter_ids: { schema: () => ids.meta({ description: doc }) } }),
    read: async (_ctx, _at, sent) => readNumbers(sent, 'smart_class_parameter_ids'),
    saveNested: keepOnly,
  }
}

async function keepOnly(ctx: Context, at: FieldPosition, id: number, kept: readonly number[] | null): Promise<void> {
  if (kept === null) return
  const own = await rows<{ id: number }>(
    ctx.db,
    sql`select id from smart_class_parameters where configclass_id = ${id} order by id`,
  )
  const foreign = kept.filter((one) => !own.some((parameter) => parameter.id === one))
  if (foreign.length > 0)
    throw invalid(
      { smart_class_parameter_ids: [`${foreign.join(', ')}: not of this class, whose parameters come with it`] },
      id,
    )
  const resource = at.target('smart_class_parameter')
  const left = own.map((parameter) => parameter.id).filter((one) => !kept.includes(one))
  await refuseForeignOverrides(ctx, resource.registry, sql`select unnest(${left}::bigint[])`)
  for (const one of left) await removeStored(ctx, resource, await lock(ctx, resource, one))
}
