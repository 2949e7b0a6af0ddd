import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  compileRequestSearch,
  joinConditions,
  limitToVisible,
  type Resource,
} from '../../../kernel/index.ts'
import { listQuery, readPaging, readSort } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { loadPlacedParameters } from '../node/catalog.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { collectFindings, presentFinding, withoutUnseen } from './lint-findings.ts'
import { limitToRequestedParameters, VIEW } from './scope.ts'

const { search, page, per_page } = listQuery

/** Finds parameters and overrides that are probably mistakes (docs/classification.md). */
export const lintParameters: Action = {
  method: 'GET',
  path: '/lint',
  name: 'lint',
  below: ['configclass'],
  summary: 'List overrides that match nothing, never win or do not fit, and parameters whose values do not fit',
  permissions: [VIEW],
  query: { search, page, per_page },
  output: z
    .object({
      total: z.int().meta({ description: 'Findings about parameters that the caller may see.' }),
      subtotal: z.int().meta({ description: 'Findings among `total` whose parameters the search finds.' }),
      page: z.int().meta({ description: 'Number of this page.' }),
      per_page: z.int().meta({ description: 'Findings on a full page.' }),
      search: z.string().nullable().meta({ description: 'The search, as sent.' }),
      sort: z
        .object({
          by: z.string().nullable().meta({ description: 'Nothing: findings come by parameter and override.' }),
          order: z.string().nullable().meta({ description: 'Nothing.' }),
        })
        .meta({ description: 'The order.' }),
      results: z
        .array(
          z.object({
            smart_class_parameter_id: z.int().meta({ description: 'Id of the parameter.' }),
            parameter: z.string().meta({ description: 'Its name.' }),
            configclass_id: z.int().meta({ description: 'Id of its class.' }),
            configclass_name: z.string().meta({ description: 'Its class.' }),
            override_value_id: z.int().nullable().meta({ description: 'Id of the override; null for the parameter.' }),
            match: z.string().nullable().meta({ description: 'Its match text.' }),
            kind: z
              .enum(['unparsable', 'unreachable', 'stale', 'shadowed', 'unfit'])
              .meta({ description: 'Kind of the problem, as a word for programs.' }),
            reason: z.string().meta({ description: 'Description of the problem.' }),
            suggestion: z.string().meta({ description: 'Suggested fix.' }),
          }),
        )
        .meta({ description: 'The findings of this page.' }),
    })
    .meta({ title: 'LintFindings', description: 'Problems of parameters and overrides.' }),
  handle: listFindings,
}

async function listFindings(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  const reached = [...limitToVisible(ctx, resource, VIEW), ...(await limitToRequestedParameters(ctx, resource, input))]
  const found = await compileRequestSearch(ctx, resource, readSingle(input.query, 'search'))
  const selectWithin = (conditions: typeof reached) =>
    sql`p.override and p.id in (select t.id from smart_class_parameters t where ${joinConditions(conditions)})`
  const all = await loadPlacedParameters(ctx, selectWithin(reached))
  const unseen = await loadInvisibleOverrides(
    ctx,
    resource.registry,
    all.map(({ parameter }) => parameter.id),
  )
  const wanted = found.length > 0 ? await loadPlacedParameters(ctx, selectWithin([...reached, ...found])) : all
  const kept = new Set(wanted.map(({ parameter }) => parameter.id))
  const findings = await collectFindings(
    ctx,
    resource,
    all.map(({ parameter }) => withoutUnseen(parameter, unseen)),
  )
  const matching = findings.filter(({ parameter }) => kept.has(parameter.id))
  const perPage = paging.perPage ?? findings.length
  const start = paging.perPage === null ? 0 : (paging.page - 1) * perPage
  return {
    status: 200,
    body: {
      total: findings.length,
      subtotal: matching.length,
      page: paging.page,
      per_page: perPage,
      search: paging.search,
      sort: readSort(null),
      results: matching.slice(start, start + perPage).map(presentFinding),
    },
  }
}
