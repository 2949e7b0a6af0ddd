import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type NestedKeys, nestedObject } from '../../../records/nested.ts'
import { toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import { namedKeys, rowKeys } from './nested-records.ts'

/** A content view in a lifecycle environment, by ids. */
export interface PairIds {
  readonly view: number
  readonly environment: number
}

/** The joins that {@link pairKeys} read beside the view `v` and the environment `e`. */
export const PAIR_VERSION = sql`left join content_view_environments c on c.content_view_id = v.id and c.environment_id = e.id
  left join content_view_versions n on n.id = c.content_view_version_id`

/** The keys of a content view `v` in an environment `e`, as all versions of this API show it (newer-clients §2h). */
export function pairKeys(): NestedKeys {
  return {
    label: [z.string().meta({ description: 'Label of the content view environment.' }), VIEW_ENVIRONMENT_LABEL],
    content_view: nestedObject('The content view.', {
      ...namedKeys('content view', 'v'),
      ...rowKeys('v', 'label'),
      composite: [z.boolean().meta({ description: 'Whether it is made of views.' }), sql`v.composite`],
      rolling: [z.boolean().meta({ description: 'Always false: views change by new versions.' }), sql`false`],
      content_view_version: [
        z.string().nullable().meta({ description: 'The version that the environment has.' }),
        sql`n.version`,
      ],
      content_view_version_id: [
        z.int().nullable().meta({ description: 'Id of the version that the environment has.' }),
        sql`n.id`,
      ],
      content_view_version_latest: [
        z.boolean().nullable().meta({ description: 'Whether it is the latest of its view.' }),
        sql`n.id = (select x.id from content_view_versions x where x.content_view_id = v.id order by x.major desc, x.minor desc limit 1)`,
      ],
      content_view_default: [z.boolean().meta({ description: 'Whether it is the default one.' }), sql`v."default"`],
      content_view_environment_id: [
        z.int().nullable().meta({ description: 'Id of the view in the environment.' }),
        sql`c.id`,
      ],
    }),
    lifecycle_environment: nestedObject('The environment.', {
      ...namedKeys('environment', 'e'),
      ...rowKeys('e', 'label'),
      lifecycle_environment_library: [z.boolean().meta({ description: 'Whether it is the Library.' }), sql`e.library`],
    }),
  }
}

/** The schema of a list of ids of content views in environments. */
export function buildPairIdsSchema(): z.ZodType<number[]> {
  return z
    .array(z.preprocess(toInteger, z.int().positive()), { error: 'must be a list of ids of content view environments' })
    .meta({ description: 'Ids of content views in environments, in order; replaces the list.' })
}

/** Finds content views in environments by their ids, in this order. {@throws Failure} invalid for unknown ones */
export async function findPairs(ctx: Context, key: string, ids: readonly number[]): Promise<PairIds[]> {
  const found = await rows<PairIds & { id: number }>(
    ctx.db,
    sql`select c.id, c.content_view_id as view, c.environment_id as environment from content_view_environments c
      where c.id = any (${ids}::bigint[])`,
  )
  const known = new Map(found.map((pair) => [pair.id, pair]))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw invalid({ [key]: [`${unknown.slice(0, 100).join(', ')} are not ids of content view environments`] })
  return ids.flatMap((id) => known.get(id) ?? [])
}
