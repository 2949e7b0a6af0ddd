import { type NodeDocument, toNodeValue } from '../../../classification/output.ts'
import type { Resolution } from '../../../classification/resolve.ts'
import type { Value, ValueMap } from '../../../classification/values.ts'
import type { Context } from '../../../context.ts'
import type { Resource, Row } from '../../../kernel/index.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import type { Input } from '../../../requests/route.ts'
import { computeClassification } from '../node/classify.ts'
import { loadExplanationViewer } from '../node/viewer.ts'
import { toField } from '../smart-class-parameter/values.ts'
import {
  explainParameters,
  loadExplainedHost,
  loadMaskedParameters,
  loadVisibleClassParameters,
} from './host-explanation.ts'
import type { SupposedHost } from './supposed.ts'

/**
 * Presents document and explanations of a supposed host, without what the caller may not see. `foreign` are the
 * overrides that the caller could not see before the host was made; the host must not make them visible.
 */
export async function presentSupposedHost(
  tx: Context,
  hosts: Resource,
  { id, parameters }: SupposedHost,
  query: Input['query'],
  foreign: ReadonlySet<number>,
): Promise<Row> {
  const { registry } = hosts
  const seenBy = await loadExplanationViewer(tx, hosts, id, false)
  const viewer = {
    ...seenBy,
    parameters: seenBy.parameters === null ? null : new Set([...seenBy.parameters, ...parameters]),
  }
  const host = await loadExplainedHost(tx, registry, id, viewer)
  if (!host) throw new Error('the supposed host is gone')
  const { document, resolutions } = computeClassification(host.prepared, tx.encryption.decrypt)
  const seen = await loadVisibleClassParameters(tx, registry, resolutions)
  const covered = listCovered(resolutions, foreign)
  const explanations = await explainParameters(tx, registry, host, query, { unseen: foreign, covered })
  const masks = new Set([...(await loadMaskedParameters(tx, registry, [...seen], query)), ...covered])
  const unseen = resolutions.some(({ parameter, outcome }) => outcome.kind === 'failure' && !seen.has(parameter.id))
  return {
    document:
      document &&
      toField(toNodeValue(presentSeen(document, resolutions, { secret: host.subject.host.secret, seen, masks }))),
    failures: [
      ...host.subject.failures,
      ...explanations.flatMap(({ status, message }) => (status === 'failure' ? [String(message)] : [])),
      ...(unseen ? ['a parameter that you may not see fails'] : []),
    ],
    parameters: explanations,
  }
}

/**
 * Lists the ids of parameters with values from invisible overrides. Such values are shown for real hosts, but a supposed
 * host could have attributes that are chosen to find out values for hosts of others.
 */
function listCovered(resolutions: readonly Resolution[], unseen: ReadonlySet<number>): ReadonlySet<number> {
  const fromThem = resolutions.filter(({ source }) => source.hits.some(({ matcher }) => unseen.has(matcher.id)))
  return new Set(fromThem.map(({ parameter }) => parameter.id))
}

interface Sight {
  /** Names of the host's parameters with hidden values. */
  readonly secret: ReadonlySet<string> | undefined
  readonly seen: ReadonlySet<number>
  readonly masks: ReadonlySet<number>
}

function presentSeen(
  document: NodeDocument,
  resolutions: readonly Resolution[],
  { secret, seen, masks }: Sight,
): NodeDocument {
  const parameters = maskValues(document.parameters, (name) => secret?.has(name) || name === 'root_pw')
  if (isNames(document.classes)) return { ...document, parameters }
  const classes = new Map(
    [...document.classes].map(([name, values]) => {
      const own = new Map(
        resolutions
          .filter(({ parameter }) => parameter.className === name)
          .map(({ parameter }) => [parameter.name, parameter.id]),
      )
      const left = [...values].filter(([parameter]) => seen.has(own.get(parameter) ?? 0))
      return [name, maskValues(new Map(left), (parameter) => masks.has(own.get(parameter) ?? 0))]
    }),
  )
  return { ...document, parameters, classes }
}

function maskValues(values: ValueMap, isHidden: (name: string) => boolean): ValueMap {
  return new Map(
    [...values].map(([name, value]): [string, Value] => [name, isHidden(name) && value !== null ? HIDDEN : value]),
  )
}

function isNames(classes: NodeDocument['classes']): classes is readonly string[] {
  return Array.isArray(classes)
}
