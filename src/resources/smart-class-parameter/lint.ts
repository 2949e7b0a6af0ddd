import { sql } from 'kysely'
import { z } from 'zod'
import { crowdOf } from '../../classification/lint/crowd.ts'
import { type Finding, lint } from '../../classification/lint/lint.ts'
import type { Parameter } from '../../classification/parameter.ts'
import { questions } from '../../classification/preview/affected.ts'
import { compile } from '../../classification/resolve.ts'
import type { Context } from '../../context.ts'
import { where } from '../../kernel/condition.ts'
import { single } from '../../kernel/input.ts'
import { listQuery, readPaging, sortOf } from '../../kernel/paging.ts'
import type { Row } from '../../kernel/present.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { searching } from '../../kernel/searching.ts'
import { beyondHosts, groupedHosts } from '../explanation/groups.ts'
import { namesFor, renamesOf } from '../explanation/names.ts'
import { readParameters } from '../node/catalog.ts'
import { parametersWithin, VIEW } from './scope.ts'

const { search, page, per_page } = listQuery

/** Parameters and overrides that can hardly be meant as they are (docs/classification.md). */
export const lintParameters: Action = {
  method: 'GET',
  path: '/lint',
  name: 'lint',
  summary: 'List overrides that match nothing, never win or do not fit, and parameters whose values do not',
  permissions: [VIEW],
  query: { search, page, per_page },
  output: z
    .object({
      total: z.int().meta({ description: 'Findings about parameters that the caller may see.' }),
      subtotal: z.int().meta({ description: 'Those of them whose parameters the search finds.' }),
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
              .meta({ description: 'What is wrong, in one word.' }),
            reason: z.string().meta({ description: 'What is wrong.' }),
            suggestion: z.string().meta({ description: 'What could be done.' }),
          }),
        )
        .meta({ description: 'The findings of this page.' }),
    })
    .meta({ title: 'LintFindings', description: 'What is wrong with parameters and overrides.' }),
  handle: listFindings,
}

async function listFindings(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  const reached = await parametersWithin(ctx, resource, input)
  const found = searching(ctx, resource, single(input.query, 'search'))
  const within = (conditions: typeof reached) =>
    sql`p.override and p.id in (select t.id from smart_class_parameters t where ${where(conditions)})`
  const all = await readParameters(ctx.db, ctx.settings, within(reached))
  const wanted = found.length > 0 ? await readParameters(ctx.db, ctx.settings, within([...reached, ...found])) : all
  const kept = new Set(wanted.map(({ parameter }) => parameter.id))
  const findings = await findingsOf(
    ctx,
    resource,
    all.map(({ parameter }) => parameter),
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
      sort: sortOf(null),
      results: matching.slice(start, start + perPage).map(shown),
    },
  }
}

/** By class, parameter and override. */
async function findingsOf(ctx: Context, { registry }: Resource, parameters: readonly Parameter[]): Promise<Finding[]> {
  const { matchers_inheritance: inheritance, interpolate_erb_in_parameters: templates } = ctx.settings
  const asked = questions(compile(parameters).parameters)
  const names = await namesFor(ctx, registry, asked)
  const groups = await groupedHosts(ctx, asked, await beyondHosts(ctx, asked), sql`true`)
  const surroundings = {
    inheritance,
    templates,
    names: names.all,
    suggested: names.seen,
    renamed: await renamesOf(ctx, asked, names),
    crowd: crowdOf(
      groups.map(({ subject }) => subject),
      inheritance,
    ),
  }
  const name = ({ className, name: own }: Parameter) => `${className}\0${own}`
  return parameters
    .toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
    .flatMap((parameter) => lint(parameter, surroundings))
}

function shown({ parameter, matcher, kind, reason, suggestion }: Finding): Row {
  return {
    smart_class_parameter_id: parameter.id,
    parameter: parameter.name,
    configclass_id: parameter.classId,
    configclass_name: parameter.className,
    override_value_id: matcher?.id ?? null,
    match: matcher?.match ?? null,
    kind,
    reason,
    suggestion,
  }
}
