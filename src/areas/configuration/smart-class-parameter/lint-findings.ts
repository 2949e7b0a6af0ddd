import { crowdOf } from '../../../classification/lint/crowd.ts'
import { type Finding, lint } from '../../../classification/lint/lint.ts'
import type { Parameter } from '../../../classification/parameter.ts'
import { collectQuestions } from '../../../classification/preview/affected.ts'
import { compile } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import type { Resource, Row } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { loadAlikeHosts, resolveQuestionsBeyondHosts } from '../explanation/groups.ts'
import { loadAttributeNames, loadRenames } from '../explanation/names.ts'

/** The parameter without overrides that the caller may not see, so that findings do not reveal them. */
export function withoutUnseen(parameter: Parameter, unseen: ReadonlySet<number>): Parameter {
  if (unseen.size === 0) return parameter
  return { ...parameter, matchers: parameter.matchers.filter(({ id }) => !unseen.has(id)) }
}

/** Collects probable mistakes in parameters and overrides, ordered by class, parameter and override. */
export async function collectFindings(
  ctx: Context,
  { registry }: Resource,
  parameters: readonly Parameter[],
): Promise<Finding[]> {
  const { matchers_inheritance: inheritance, interpolate_erb_in_parameters: templates } = ctx.settings
  const asked = collectQuestions(compile(parameters).parameters)
  const names = await loadAttributeNames(ctx, registry, asked)
  const groups = await loadAlikeHosts(ctx, asked, await resolveQuestionsBeyondHosts(ctx, asked), sql`true`)
  const surroundings = {
    inheritance,
    templates,
    names: names.all,
    suggested: names.seen,
    renamed: await loadRenames(ctx, asked, names),
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

/** Presents a finding as answers show it. */
export function presentFinding({ parameter, matcher, kind, reason, suggestion }: Finding): Row {
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
