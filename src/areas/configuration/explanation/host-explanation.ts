import { type CompiledParameter, compile } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, type Registry, type Row } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadInvisibleFacts } from '../../inventory/index.ts'
import { loadEffectiveParameters } from '../../parameters/index.ts'
import { loadPlacedParameters } from '../node/catalog.ts'
import { buildNodeSubject, type NodeSubject } from '../node/classify.ts'
import { loadNodes } from '../node/node.ts'
import type { PreparedNode, Viewer } from '../node/prepare.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { parameterResourceOf } from '../override-value/scope.ts'
import { loadHiddenValues } from '../smart-class-parameter/hidden.ts'
import { type Authors, loadAuthors } from './authors.ts'
import { type Applicability, presentExplanation } from './present-explanation.ts'

/** A host that is prepared to be explained. */
interface ExplainedHost {
  readonly prepared: PreparedNode
  readonly subject: NodeSubject
}

/** Loads a host and prepares it for its viewer, as for a node document; null when there is none. */
export async function loadExplainedHost(
  ctx: Context,
  registry: Registry,
  id: number,
  viewer: Viewer,
): Promise<ExplainedHost | null> {
  const [prepared] = await loadNodes(ctx, [id], viewer)
  if (!prepared) return null
  const subject = buildNodeSubject(prepared)
  const secret = new Set([
    ...(await loadHiddenNames(ctx, id)),
    ...(await loadInvisibleFacts(ctx, registry, id, [...subject.host.facts.keys()])),
  ])
  return { prepared, subject: { ...subject, host: { ...subject.host, secret } } }
}

/** Loads the names of effective parameters of the host with hidden values. */
async function loadHiddenNames(ctx: Context, host: number): Promise<ReadonlySet<string>> {
  const effective = (await loadEffectiveParameters(ctx, [host])).get(host) ?? []
  return new Set(effective.flatMap(({ name, hidden_value }) => (hidden_value ? [name] : [])))
}

/** Explains one parameter for a host, also one that the host does not get; null if there is no such parameter. */
export async function explainParameter(
  ctx: Context,
  registry: Registry,
  { prepared, subject }: ExplainedHost,
  parameter: number,
  query: Input['query'],
): Promise<Row | null> {
  const { settings } = prepared.catalog
  const [placed] = await loadPlacedParameters({ ...ctx, settings }, sql`p.id = ${parameter}`)
  const [compiled] = placed ? compile([placed.parameter]).parameters : []
  if (!placed || !compiled) return null
  const masks = await loadMaskedParameters(ctx, registry, [parameter], query)
  const managed = prepared.environment?.compiled.parameters.some((each) => each.parameter.id === parameter) ?? false
  const reach = applicabilityOf(compiled, prepared, managed, placed.environments)
  const authors = await loadAuthors(ctx, registry, [parameter])
  const unseen = await loadInvisibleOverrides(ctx, registry, [parameter])
  return presentExplanation(compiled, subject.host, subject.rules, reach, {
    masked: masks.has(parameter),
    authors,
    unseen,
  })
}

/**
 * Explains all visible parameters that a host gets, by class and name. For a supposed host it leaves out what the
 * caller could not see before.
 */
export async function explainParameters(
  ctx: Context,
  registry: Registry,
  { prepared, subject }: ExplainedHost,
  query: Input['query'],
  suppose: Suppositions = { unseen: NONE, covered: NONE },
): Promise<Row[]> {
  const all = parametersOfClasses(prepared)
  const ids = await loadVisibleClassParameters(ctx, registry, all)
  const masks = await loadMaskedParameters(ctx, registry, [...ids], query)
  const authors: Authors = await loadAuthors(ctx, registry, [...ids])
  const unseen = new Set([...(await loadInvisibleOverrides(ctx, registry, [...ids])), ...suppose.unseen])
  return all
    .filter(({ parameter }) => ids.has(parameter.id))
    .map((compiled) => {
      const masked = masks.has(compiled.parameter.id) || suppose.covered.has(compiled.parameter.id)
      return presentExplanation(compiled, subject.host, subject.rules, APPLIES, { masked, authors, unseen })
    })
}

/** What must not be shown of a supposed host. */
interface Suppositions {
  /** Ids of invisible overrides. */
  readonly unseen: ReadonlySet<number>
  /** Ids of parameters with values from invisible overrides. */
  readonly covered: ReadonlySet<number>
}

const NONE: ReadonlySet<number> = new Set()

/** The managed parameters of a host's classes, by class and name. */
function parametersOfClasses({ environment, inputs }: PreparedNode): CompiledParameter[] {
  const all = inputs.classes.flatMap((id) => environment?.compiled.byClass.get(id) ?? [])
  const name = ({ parameter }: CompiledParameter) => `${parameter.className}\0${parameter.name}`
  return all.sort((a, b) => (name(a) < name(b) ? -1 : 1))
}

/** Loads the ids of those of the parameters that the caller may see. */
export async function loadVisibleClassParameters(
  ctx: Context,
  registry: Registry,
  all: readonly Pick<CompiledParameter, 'parameter'>[],
): Promise<ReadonlySet<number>> {
  const ids = all.map(({ parameter }) => parameter.id)
  const resource = parameterResourceOf({ registry })
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from smart_class_parameters t
      where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(ctx, resource, 'view_external_parameters'))}`,
  )
  return new Set(found.map(({ id }) => id))
}

/**
 * Loads the ids of parameters with values hidden from the caller: all hidden ones except those that the caller asked
 * for and may edit.
 */
export async function loadMaskedParameters(
  ctx: Context,
  registry: Registry,
  ids: readonly number[],
  query: Input['query'],
): Promise<ReadonlySet<number>> {
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select id from smart_class_parameters where id = any (${ids}::bigint[]) and hidden_value`,
  )
  const hidden = found.map(({ id }) => id)
  const shown = await loadHiddenValues(ctx, parameterResourceOf({ registry }), hidden, query)
  return new Set(hidden.filter((id) => !shown.has(id)))
}

const APPLIES: Applicability = { applies: true, reason: 'the host has the class, and the value is managed here' }

function applicabilityOf(
  { parameter: { className, classId } }: CompiledParameter,
  { inputs, catalog }: PreparedNode,
  managed: boolean,
  environments: readonly number[],
): Applicability {
  const environment = inputs.environment_id
  const buildDenial = (reason: string): Applicability => ({ applies: false, reason })
  if (environment === null) return buildDenial('the host has no environment, and so no classes')
  if (!inputs.classes.includes(classId))
    return buildDenial(`the host does not have the class ${className} in its environment`)
  if (!environments.includes(environment))
    return buildDenial(`the class ${className} does not have it in the environment of the host`)
  if (!managed) return buildDenial('its value is not managed here: override is false')
  return catalog.settings.Parametrized_Classes_in_ENC
    ? APPLIES
    : buildDenial('the setting Parametrized_Classes_in_ENC limits documents to the names of classes')
}
