import type { Resolution } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import { findReference } from '../../../encryption/hidden-values.ts'
import { readReference, resolveReferences } from '../../parameters/index.ts'
import { type Catalog, nameDefault, nameOverride } from './catalog.ts'
import { computeClassification } from './classify.ts'
import type { NodeParameter } from './inputs.ts'
import type { NodeSecrets, PreparedNode } from './prepare.ts'

/** Reads the secrets that the document of a host contains as references, those that the viewer sees. */
export async function withReadSecrets(
  ctx: Pick<Context, 'db' | 'encryption' | 'references' | 'log'>,
  prepared: PreparedNode,
): Promise<PreparedNode> {
  const own = await readOwnSecrets(ctx, prepared)
  const withOwn = own ? { ...prepared, secrets: own } : prepared
  if (prepared.catalog.references.size === 0) return withOwn
  const { resolutions } = computeClassification(withOwn, ctx.encryption.decrypt)
  const wanted = resolutions.flatMap((one) => findWanted(prepared, one) ?? [])
  if (wanted.length === 0) return withOwn
  const { parameters = new Map<string, string>(), failures = [] } = own ?? {}
  const read = await Promise.all(
    wanted.map(async ({ id, what, text }) => ({ id, read: await readReference(ctx, what, text) })),
  )
  return {
    ...prepared,
    secrets: {
      parameters,
      classes: new Map(read.flatMap(({ id, read: one }) => ('text' in one ? [[id, one.text] as const] : []))),
      failures: [...failures, ...read.flatMap(({ read: one }) => ('failure' in one ? [one.failure] : []))],
    },
  }
}

/** Reads what the own parameters of a host refer to; null if none is a reference. */
async function readOwnSecrets(
  ctx: Pick<Context, 'db' | 'references' | 'log'>,
  { inputs, parameters, masked }: PreparedNode,
): Promise<NodeSecrets | null> {
  if (!inputs.parameters.includes('"hidden":true')) return null
  const all: readonly NodeParameter[] = JSON.parse(inputs.parameters) // the statement selects this JSON
  const seen = all.filter(
    ({ name, hidden, value }) => hidden && parameters.has(name) && !masked.has(name) && findReference(value) !== null,
  )
  if (seen.length === 0) return null
  const { values, failures } = await resolveReferences(ctx, seen)
  const read = seen.flatMap(({ id, name }) => {
    const text = values.get(id)
    return text === undefined ? [] : [[name, text] as const]
  })
  return { parameters: new Map(read), classes: new Map(), failures }
}

/** Finds the reference that a class parameter of the host yields, if the viewer sees it; not what a template has written. */
function findWanted({ catalog, viewer }: PreparedNode, { parameter, outcome, source }: Resolution) {
  const { id, name, className, hidden } = parameter
  if (!hidden || outcome.kind !== 'value' || typeof outcome.value !== 'string' || source.merged) return null
  if (viewer.hiddenOfClasses !== null && !viewer.hiddenOfClasses.has(id)) return null
  if (!isFromReference(catalog, { parameter, source })) return null
  return { id, what: `Parameter '${name}' of class '${className}'`, text: outcome.value }
}

function isFromReference(
  { references }: Catalog,
  { parameter, source }: Pick<Resolution, 'parameter' | 'source'>,
): boolean {
  const hit = source.hits.at(-1)
  return references.has(hit && !source.usesDefault ? nameOverride(hit.matcher.id) : nameDefault(parameter.id))
}
