import { sql } from 'kysely'
import { type CompiledParameter, compile } from '../../classification/resolve.ts'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Row } from '../../kernel/present.ts'
import type { Registry } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { readParameters } from '../node/catalog.ts'
import { type NodeSubject, nodeSubject } from '../node/classify.ts'
import { nodes } from '../node/node.ts'
import type { Prepared, Viewer } from '../node/prepare.ts'
import { parametersOf } from '../override-value/scope.ts'
import { effectiveParameters } from '../parameter/effective.ts'
import { hiddenValues } from '../smart-class-parameter/hidden.ts'
import { type Authors, authorsOf } from './authors.ts'
import { explained, type Reach } from './shown.ts'

/** A stored host, ready to be explained. */
interface ExplainedHost {
  readonly prepared: Prepared
  readonly subject: NodeSubject
}

/** The host of this id, as its node document is made for the viewer; null when there is none. */
export async function hostToExplain(ctx: Context, id: number, viewer: Viewer): Promise<ExplainedHost | null> {
  const [prepared] = await nodes(ctx.db, [id], viewer)
  if (!prepared) return null
  const subject = nodeSubject(prepared)
  return { prepared, subject: { ...subject, host: { ...subject.host, secret: await hiddenNames(ctx, id) } } }
}

/** Names of parameters that count for the host and hide their values. */
async function hiddenNames(ctx: Context, host: number): Promise<ReadonlySet<string>> {
  const effective = (await effectiveParameters(ctx, [host])).get(host) ?? []
  return new Set(effective.flatMap(({ name, hidden_value }) => (hidden_value ? [name] : [])))
}

/** The explanation of one parameter, also of one that the host does not get. */
export async function explainParameter(
  ctx: Context,
  registry: Registry,
  { prepared, subject }: ExplainedHost,
  parameter: number,
  query: Input['query'],
): Promise<Row | null> {
  const { settings } = prepared.catalog
  const [placed] = await readParameters(ctx.db, settings, sql`p.id = ${parameter}`)
  const [compiled] = placed ? compile([placed.parameter]).parameters : []
  if (!placed || !compiled) return null
  const masks = await masksOf(ctx, registry, [parameter], query)
  const managed = prepared.environment?.compiled.parameters.some((each) => each.parameter.id === parameter) ?? false
  const reach = reachOf(compiled, prepared, managed, placed.environments)
  const authors = await authorsOf(ctx, registry, [parameter])
  return explained(compiled, subject.host, subject.rules, reach, { masked: masks.has(parameter), authors })
}

/** The explanations of all parameters that the host gets and the caller may see, by class and name. */
export async function explainAll(
  ctx: Context,
  registry: Registry,
  { prepared, subject }: ExplainedHost,
  query: Input['query'],
): Promise<Row[]> {
  const all = parametersOfClasses(prepared)
  const ids = await seenParameters(ctx, registry, all)
  const masks = await masksOf(ctx, registry, [...ids], query)
  const authors: Authors = await authorsOf(ctx, registry, [...ids])
  return all
    .filter(({ parameter }) => ids.has(parameter.id))
    .map((compiled) => {
      const masked = masks.has(compiled.parameter.id)
      return explained(compiled, subject.host, subject.rules, APPLIES, { masked, authors })
    })
}

/** The managed parameters of the classes that a host has, by class and name. */
function parametersOfClasses({ environment, inputs }: Prepared): CompiledParameter[] {
  const all = inputs.classes.flatMap((id) => environment?.compiled.byClass.get(id) ?? [])
  const name = ({ parameter }: CompiledParameter) => `${parameter.className}\0${parameter.name}`
  return all.sort((a, b) => (name(a) < name(b) ? -1 : 1))
}

/** Those of the parameters that the caller may see. */
export async function seenParameters(
  ctx: Context,
  registry: Registry,
  all: readonly Pick<CompiledParameter, 'parameter'>[],
): Promise<ReadonlySet<number>> {
  const ids = all.map(({ parameter }) => parameter.id)
  const resource = parametersOf({ registry })
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from smart_class_parameters t
      where t.id = any (${ids}::bigint[]) and ${where(visible(ctx, resource, 'view_external_parameters'))}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Ids of those parameters whose values are hidden from the caller: all that hide them but the ones asked for and allowed. */
export async function masksOf(
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
  const shown = await hiddenValues(ctx, parametersOf({ registry }), hidden, query)
  return new Set(hidden.filter((id) => !shown.has(id)))
}

const APPLIES: Reach = { applies: true, reason: 'the host has the class, and the value is managed here' }

function reachOf(
  { parameter: { className, classId } }: CompiledParameter,
  { inputs, catalog }: Prepared,
  managed: boolean,
  environments: readonly number[],
): Reach {
  const environment = inputs.environment_id
  const no = (reason: string): Reach => ({ applies: false, reason })
  if (environment === null) return no('the host has no environment, and so no classes')
  if (!inputs.classes.includes(classId)) return no(`the host does not have the class ${className} in its environment`)
  if (!environments.includes(environment))
    return no(`the class ${className} does not have it in the environment of the host`)
  if (!managed) return no('its value is not managed here: override is false')
  return catalog.settings.Parametrized_Classes_in_ENC
    ? APPLIES
    : no('the setting Parametrized_Classes_in_ENC says that hosts are told the names of their classes only')
}
