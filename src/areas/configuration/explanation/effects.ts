import { isTemplate } from '../../../classification/cast.ts'
import { listCandidates } from '../../../classification/matchers.ts'
import {
  collectQuestions,
  formatOutcome,
  isSameOutcome,
  isSameVersion,
  listAffected,
  type Version,
} from '../../../classification/preview/affected.ts'
import {
  type CompiledParameter,
  type Resolution,
  type Rules,
  resolveParameter,
} from '../../../classification/resolve.ts'
import { isMap, type Value } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { loadCatalog } from '../node/catalog.ts'
import { buildNodeSubject } from '../node/classify.ts'
import { loadNodeInputs } from '../node/inputs.ts'
import { prepareNode, type Viewer } from '../node/prepare.ts'
import { type AlikeHosts, loadAlikeHosts, resolveQuestionsBeyondHosts } from './groups.ts'

/** A parameter before and after a write, in the environments in which its class has it; null: hosts do not get it. */
export interface ParameterChange {
  readonly before: Version
  readonly after: Version
  readonly environments: readonly number[]
}

/** The effect of a write on hosts that all have one outcome before it and one after it. */
export interface Effect {
  readonly parameter: CompiledParameter
  readonly before: Resolution | null
  readonly after: Resolution | null
  /** Ids of these hosts. */
  readonly hosts: readonly number[]
}

/** A host as previews show it. */
interface NamedHost {
  readonly id: number
  readonly name: string
}

/**
 * Computes what the changes mean for the hosts `t` that the condition leaves. Hosts that matchers do not tell apart are
 * computed once. Where templates are rendered or matchers ask for parameters, hosts are computed one by one, with the
 * parameters that the caller may see, as in node documents for that caller.
 */
export async function computeEffects(
  ctx: Context,
  pairs: readonly ParameterChange[],
  condition: Sql,
  viewer: () => Promise<Viewer>,
): Promise<Effect[]> {
  const changed = pairs.filter(({ before, after }) => !isSameVersion(before, after))
  const crowds = await loadCrowds(ctx, changed, condition, viewer)
  return changed.flatMap(({ before, after, environments }) => {
    const reached = crowds.filter(({ environment }) => environment !== null && environments.includes(environment))
    const parameter = after ?? before
    return parameter ? mergeEffects(parameter, listAffected(before, after, reached)) : []
  })
}

/** Hosts for which the parameters of a change resolve alike, with the rules for them. */
interface Crowd extends AlikeHosts {
  readonly rules: Rules
}

/** Loads the hosts `t` that the condition leaves in the environments of the changes, those together that resolve alike. */
export async function loadCrowds(
  ctx: Context,
  changed: readonly ParameterChange[],
  condition: Sql,
  viewer: () => Promise<Viewer>,
): Promise<Crowd[]> {
  if (changed.length === 0) return []
  const asked = collectQuestions(changed.flatMap(({ before, after }) => [before, after]))
  const environments = [...new Set(changed.flatMap((pair) => pair.environments))]
  const beyond = await resolveQuestionsBeyondHosts(ctx, asked)
  const there = sql`t.environment_id = any (${environments}::bigint[]) and ${condition}`
  const groups = await loadAlikeHosts(ctx, asked, beyond, there)
  return splitGroups(ctx, groups, changed, { always: beyond.parameters.length > 0, viewer })
}

/** Loads hosts by id, ordered by name. */
export async function loadHostNames(
  ctx: Context,
  ids: ReadonlySet<number>,
): Promise<(some: readonly number[]) => readonly NamedHost[]> {
  const found = await rows<NamedHost>(
    ctx.db,
    sql`select id, name from hosts where id = any (${[...ids]}::bigint[]) order by name`,
  )
  const ranks = new Map(found.map(({ id }, rank) => [id, rank]))
  const rankOf = (id: number) => ranks.get(id) ?? 0
  return (some) => some.toSorted((a, b) => rankOf(a) - rankOf(b)).flatMap((id) => found[rankOf(id)] ?? [])
}

/** Yields groups that can be computed as a whole, and single hosts of the other groups. */
async function splitGroups(
  ctx: Context,
  groups: readonly AlikeHosts[],
  pairs: readonly ParameterChange[],
  { always, viewer }: { readonly always: boolean; readonly viewer: () => Promise<Viewer> },
): Promise<Crowd[]> {
  const { matchers_inheritance: inheritance, interpolate_erb_in_parameters: templates } = ctx.settings
  const rules: Rules = { inheritance, render: null }
  const rendered = templates ? pairs.filter((pair) => hasTemplates(pair.before) || hasTemplates(pair.after)) : []
  const isClose = (group: AlikeHosts) => always || rendered.some((pair) => mayRender(pair, group, rules))
  const apart = groups.filter(isClose)
  const together = groups.filter((group) => !apart.includes(group))
  return [...together.map((group) => ({ ...group, rules })), ...(await loadSingleHosts(ctx, apart, viewer))]
}

const BATCH = 250

/**
 * Loads single hosts with all their facts, because the catalogue after the write may no longer request facts that
 * templates before it read.
 */
async function loadSingleHosts(
  ctx: Context,
  groups: readonly AlikeHosts[],
  viewer: () => Promise<Viewer>,
): Promise<Crowd[]> {
  const ids = groups.flatMap(({ hosts }) => hosts)
  if (ids.length === 0) return []
  const catalog = await loadCatalog(ctx)
  const seenBy = await viewer()
  const found: Crowd[] = []
  for (let start = 0; start < ids.length; start += BATCH) {
    for (const inputs of await loadNodeInputs(ctx, ids.slice(start, start + BATCH), 'all')) {
      const { host: subject, rules } = buildNodeSubject(prepareNode(inputs, catalog, seenBy))
      found.push({ subject, rules, environment: inputs.environment_id, hosts: [inputs.id] })
    }
  }
  return found
}

/** Whether a template is chosen for a group before or after the write, and the other side differs. */
function mayRender({ before, after }: ParameterChange, { subject }: AlikeHosts, rules: Rules): boolean {
  if (before?.parameter.mergeOverrides || after?.parameter.mergeOverrides) return true
  const [left, right] = [before, after].map((version) => version && chooseRaw(version, subject, rules))
  const isRendered = [left, right].some((raw) => raw?.outcome.kind === 'value' && containsTemplate(raw.outcome.value))
  if (!isRendered) return false
  const isSame = isSameOutcome(left?.outcome, right?.outcome) && describeDecisive(before) === describeDecisive(after)
  return !isSame
}

/** The chosen value as stored, before templates are rendered. */
function chooseRaw(version: CompiledParameter, subject: AlikeHosts['subject'], rules: Rules): Resolution {
  const parameter = { ...version.parameter, type: null, validator: null, required: false }
  return resolveParameter({ ...version, parameter }, listCandidates(version.order, subject, rules.inheritance), rules)
}

/** Describes what decides the outcome beside the value: type, validator, whether it is required, and name. */
function describeDecisive(version: Version): string {
  const { type, validator, required, name } = version?.parameter ?? {}
  return JSON.stringify([type, validator, required, name])
}

function hasTemplates(version: Version): boolean {
  if (!version) return false
  const { defaultValue, matchers } = version.parameter
  return [defaultValue, ...matchers.map(({ value }) => value)].some(containsTemplate)
}

function containsTemplate(value: Value): boolean {
  if (value === null || typeof value !== 'object') return isTemplate(value)
  return [...(isMap(value) ? value.values() : value)].some(containsTemplate)
}

/** Merges effects with equal outcomes; those with the most hosts come first. */
function mergeEffects(
  parameter: CompiledParameter,
  changes: readonly { host: Crowd; before: Resolution | null; after: Resolution | null }[],
): Effect[] {
  const alike = Map.groupBy(changes, ({ before, after }) =>
    JSON.stringify([formatResolution(before), formatResolution(after)]),
  )
  return [...alike.values()]
    .map((same) => ({
      parameter,
      before: same[0]?.before ?? null,
      after: same[0]?.after ?? null,
      hosts: same.flatMap(({ host }) => host.hosts),
    }))
    .sort((a, b) => b.hosts.length - a.hosts.length)
}

function formatResolution(resolution: Resolution | null): string {
  const matches = resolution?.source.hits.map(({ matcher }) => matcher.match) ?? []
  return JSON.stringify([formatOutcome(resolution?.outcome), matches])
}
