import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Condition,
  findResource,
  joinConditions,
  limitToScope,
  list,
  type Resource,
  ROOT,
} from '../../../kernel/index.ts'
import { buildPageSchema } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'

const LISTED = ['id', 'name', 'module_name', 'created_at', 'updated_at']

/**
 * Answers a page of config classes (smart-parameters §8): lists by module with times in ISO format, or with
 * `style=list` one list. A path below a location or organization limits them to environments there.
 */
export async function listClasses(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const plain = input.query.style === 'list'
  const showing = plain ? { keys: LISTED } : ({ times: 'iso' } as const)
  const answer = await list(ctx, resource, input, limitToPlaceOfPath(ctx, resource, input), showing)
  if (plain) return answer
  const body = answer.body
  const modules = Map.groupBy(body.results, ({ name }) => String(name).split('::', 1)[0] ?? '')
  return { ...answer, body: { ...body, results: Object.fromEntries(modules) } }
}

/** Builds the schema of a page of config classes, in both forms. */
export function buildClassListSchema(): z.ZodType {
  const time = (words: string) => z.string().meta({ description: `${words}, in ISO form within modules.` })
  const listed = z.object({
    id: z.int().meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
    module_name: z.string().optional().meta({ description: 'The module it is in; only with style=list.' }),
    created_at: time('Time of creation'),
    updated_at: time('Time of the last change'),
  })
  return buildPageSchema(listed, 'core').extend({
    results: z
      .union([z.record(z.string(), z.array(listed)), z.array(listed)])
      .meta({ description: 'Classes by module, or one list.' }),
  })
}

/** Leaves classes in environments of the location or organization in the path: classes have no places of their own. */
function limitToPlaceOfPath(ctx: Context, { registry }: Resource, { params }: Input): readonly Condition[] {
  if (params.organization_id === undefined && params.location_id === undefined) return []
  const seen = limitToScope(ctx, findResource(registry, 'environment'))
  return [
    {
      sql: sql`${sql.ref(`${ROOT}.id`)} in (select c.configclass_id from configclass_environments c
        where c.environment_id in (select t.id from environments t where ${joinConditions(seen)}))`,
      tables: ['configclass_environments', 'environments', ...seen.flatMap(({ tables }) => tables)],
    },
  ]
}
