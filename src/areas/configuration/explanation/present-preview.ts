import { UNSEEN_MATCH } from '../../../classification/explain/unseen.ts'
import type { Resolution } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import type { Resource, Row } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { joinAll } from '../../../sql.ts'
import { loadViewerOfMany, maskViewer } from '../node/viewer.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { parameterResourceOf } from '../override-value/scope.ts'
import { loadHiddenValues } from '../smart-class-parameter/hidden.ts'
import { computeEffects, type Effect, loadHostNames, type ParameterChange } from './effects.ts'
import { presentOutcome, presentParameterKeys } from './present-explanation.ts'
import { limitToVisibleHosts } from './visible-hosts.ts'

/** The effect of a write: values of parameters, classes, and the hosts that may be affected. */
export interface Watched {
  readonly pairs: readonly ParameterChange[]
  /** The condition on hosts `t` that the write may concern; that they are in the environments of the pairs is added. */
  readonly hosts: Sql
  /** Classes that hosts gain or lose. */
  readonly classes?: readonly ClassChange[]
  /** Ids of parameters with hidden values before or after the write. */
  readonly hidden: readonly number[]
}

interface ClassChange {
  readonly configclass_id: number
  readonly configclass_name: string
  readonly change: 'added' | 'removed'
  /** Ids of these hosts. */
  readonly hosts: readonly number[]
}

/** Presents what a write changes, for the hosts that the caller may see. */
export async function presentPreview(
  ctx: Context,
  { registry }: Resource,
  input: Input,
  watched: Watched,
): Promise<Row> {
  const { pairs, hosts, classes = [], hidden } = watched
  const effects = await computeEffects(ctx, pairs, joinAll([hosts, limitToVisibleHosts(ctx, registry)]), async () =>
    maskViewer(await loadViewerOfMany(ctx, registry)),
  )
  const ids = new Set([...effects, ...classes].flatMap((change) => change.hosts))
  const byName = await loadHostNames(ctx, ids)
  const revealed = await loadHiddenValues(ctx, parameterResourceOf({ registry }), hidden, input.query)
  const changed = [...new Set(effects.map(({ parameter }) => parameter.parameter.id))]
  const unseen = await loadInvisibleOverrides(ctx, registry, changed)
  const isMasked = ({ parameter: { parameter } }: Effect) =>
    hidden.includes(parameter.id) && !revealed.has(parameter.id)
  return {
    preview: true,
    total: ids.size,
    classes: classes.map((change) => ({ ...change, hosts: byName(change.hosts) })),
    changes: effects.map((effect) => ({
      ...presentEffect(effect, isMasked(effect), unseen),
      hosts: byName(effect.hosts),
    })),
  }
}

/** Presents what hosts get before and after a write, without values and matches that the caller may not see. */
function presentEffect({ parameter, before, after }: Effect, masked: boolean, unseen: ReadonlySet<number>): Row {
  return {
    ...presentParameterKeys(parameter),
    before: presentSide(before, masked, unseen),
    after: presentSide(after, masked, unseen),
  }
}

function presentSide(resolution: Resolution | null, masked: boolean, unseen: ReadonlySet<number>): Row {
  const { hits = [], merged = false } = resolution?.source ?? {}
  const source = merged ? 'merge' : hits.length > 0 ? 'override' : 'default'
  return {
    ...presentOutcome(resolution?.outcome, masked),
    source: resolution ? source : null,
    matches: hits.map(({ matcher }) => (unseen.has(matcher.id) ? UNSEEN_MATCH : matcher.match)),
  }
}
