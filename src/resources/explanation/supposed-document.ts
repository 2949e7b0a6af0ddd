import { type NodeDocument, nodeValue } from '../../classification/output.ts'
import type { Resolution } from '../../classification/resolve.ts'
import { HIDDEN, type Value, type ValueMap } from '../../classification/values.ts'
import type { Context } from '../../context.ts'
import type { Row } from '../../kernel/present.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Input } from '../../kernel/route.ts'
import { classify } from '../node/classify.ts'
import { viewerOf } from '../node/viewer.ts'
import { toField } from '../smart-class-parameter/values.ts'
import { explainAll, hostToExplain, masksOf, seenParameters } from './of-host.ts'
import type { Supposed } from './supposed.ts'

/** What a supposed host gets, and why: its document without what the caller may not see, and the explanations. */
export async function classified(
  tx: Context,
  hosts: Resource,
  { id, parameters }: Supposed,
  query: Input['query'],
): Promise<Row> {
  const { registry } = hosts
  const seenBy = await viewerOf(tx, hosts, id)
  const viewer = {
    passwords: false,
    parameters: seenBy.parameters === null ? null : new Set([...seenBy.parameters, ...parameters]),
  }
  const host = await hostToExplain(tx, id, viewer)
  if (!host) throw new Error('the supposed host is gone')
  const { document, resolutions } = classify(host.prepared, tx.encryption.decrypt)
  const explanations = await explainAll(tx, registry, host, query)
  const seen = await seenParameters(tx, registry, resolutions)
  const masks = await masksOf(tx, registry, [...seen], query)
  const unseen = resolutions.some(({ parameter, outcome }) => outcome.kind === 'failure' && !seen.has(parameter.id))
  return {
    document:
      document && toField(nodeValue(shown(document, resolutions, { secret: host.subject.host.secret, seen, masks }))),
    failures: [
      ...host.subject.failures,
      ...explanations.flatMap(({ status, message }) => (status === 'failure' ? [String(message)] : [])),
      ...(unseen ? ['a parameter that you may not see fails'] : []),
    ],
    parameters: explanations,
  }
}

interface Sight {
  /** Names of parameters of the host that hide their values. */
  readonly secret: ReadonlySet<string> | undefined
  readonly seen: ReadonlySet<number>
  readonly masks: ReadonlySet<number>
}

function shown(
  document: NodeDocument,
  resolutions: readonly Resolution[],
  { secret, seen, masks }: Sight,
): NodeDocument {
  const parameters = masked(document.parameters, (name) => secret?.has(name) || name === 'root_pw')
  if (isNames(document.classes)) return { ...document, parameters }
  const classes = new Map(
    [...document.classes].map(([name, values]) => {
      const own = new Map(
        resolutions
          .filter(({ parameter }) => parameter.className === name)
          .map(({ parameter }) => [parameter.name, parameter.id]),
      )
      const left = [...values].filter(([parameter]) => seen.has(own.get(parameter) ?? 0))
      return [name, masked(new Map(left), (parameter) => masks.has(own.get(parameter) ?? 0))]
    }),
  )
  return { ...document, parameters, classes }
}

function masked(values: ValueMap, isHidden: (name: string) => boolean): ValueMap {
  return new Map(
    [...values].map(([name, value]): [string, Value] => [name, isHidden(name) && value !== null ? HIDDEN : value]),
  )
}

function isNames(classes: NodeDocument['classes']): classes is readonly string[] {
  return Array.isArray(classes)
}
