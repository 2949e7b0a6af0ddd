import { z } from 'zod'
import { UNSEEN_MATCH } from '../../../classification/explain/unseen.ts'
import type { Resolution } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { limitToVisible, permissionOf } from '../../../kernel/authorize.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Action, CollectionAction, Input, Registry, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { readSingle } from '../../../kernel/input.ts'
import { runAction } from '../../../kernel/operations/action.ts'
import type { Row } from '../../../kernel/record.ts'
import { findResource } from '../../../kernel/registry.ts'
import { withRollback } from '../../../records/with-rollback.ts'
import { joinAll } from '../../../search/sql.ts'
import { loadViewerOfMany } from '../node/viewer.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { parameterResourceOf } from '../override-value/scope.ts'
import { loadHiddenValues } from '../smart-class-parameter/hidden.ts'
import { computeEffects, type Effect, loadHostNames, type ParameterChange } from './effects.ts'
import { presentOutcome, presentParameterKeys } from './present-explanation.ts'
import { DOCUMENT, watchDocument } from './previewed-document.ts'
import { OUTCOME, PARAMETER } from './schemas.ts'

/**
 * Determines before a write which hosts it may change and how; the result is called after the write to complete that.
 */
export type Watch = (ctx: Context, resource: Resource, input: Input) => Promise<() => Promise<Watched>>

/** What a write changes: values of parameters, classes, and the hosts that may be affected. */
export interface Watched {
  readonly pairs: readonly ParameterChange[]
  /** Selects the ids of hosts `t`; that they are in the environments of the changes is added. */
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

/** Adds a preview to an action: with `preview=true` in the query it stores nothing and answers what would change. */
export function withPreview(written: Action, watch: Watch): CollectionAction {
  const { record: _, handle: __, ...facts } = written
  return {
    ...facts,
    query: { ...written.query, ...PREVIEW_QUERY },
    previews: PREVIEW,
    handle: (ctx, resource, input) =>
      asksForPreview(input)
        ? answerPreview(ctx, resource, input, written, watch)
        : runAction(written, ctx, resource, input),
  }
}

/** Answers what a write would change for hosts that the caller may see. */
async function answerPreview(
  ctx: Context,
  resource: Resource,
  input: Input,
  action: Action,
  watch: Watch,
): Promise<Answer> {
  const body = await withRollback(ctx, async (tx) => {
    const host = readSingle(input.query, 'preview_host_id')
    const lookAtDocument = host === null ? null : await watchDocument(tx, resource.registry, host)
    const look = await watch(tx, resource, input)
    await runAction(action, tx, resource, input)
    const seen = await presentPreview(tx, resource, input, await look())
    return lookAtDocument ? { ...seen, document: await lookAtDocument() } : seen
  })
  return { status: 200, body }
}

async function presentPreview(ctx: Context, { registry }: Resource, input: Input, watched: Watched): Promise<Row> {
  const { pairs, hosts, classes = [], hidden } = watched
  const effects = await computeEffects(ctx, pairs, joinAll([hosts, limitToVisibleHosts(ctx, registry)]), () =>
    loadViewerOfMany(ctx, registry),
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

/** Leaves the hosts `t` that the caller may see. */
export function limitToVisibleHosts(ctx: Context, registry: Registry): Sql {
  const hosts = findResource(registry, 'host')
  return joinConditions(limitToVisible(ctx, hosts, permissionOf(hosts, 'view')))
}

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

function asksForPreview({ query }: Input): boolean {
  const sent = readSingle(query, 'preview')
  if (sent === 'true' || sent === '1') return true
  const host = readSingle(query, 'preview_host_id')
  if (host !== null) throw badParameter('preview_host_id', host, 'needs preview=true')
  if (sent === null || sent === 'false' || sent === '0') return false
  throw badParameter('preview', sent, 'must be true or false')
}

const PREVIEW_QUERY = {
  preview: z
    .string()
    .optional()
    .meta({ description: '`true` stores nothing, and answers which hosts would get something else.' }),
  preview_host_id: z
    .string()
    .optional()
    .meta({ description: 'With a preview: a host by id or name, whose whole document is answered, before and after.' }),
}

const host = z.object({
  id: z.int().meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
})
const hosts = z.array(host).meta({ description: 'The hosts, by name.' })

const oneSide = z.object({
  ...OUTCOME,
  source: z
    .enum(['default', 'override', 'merge'])
    .nullable()
    .meta({ description: 'Source of the value; null where hosts are not told of the parameter.' }),
  matches: z.array(z.string()).meta({ description: 'The match texts of the overrides that take part, best first.' }),
})

/** The schema of a preview. */
const PREVIEW = z
  .object({
    preview: z.literal(true).meta({ description: 'Nothing was stored.' }),
    total: z.int().meta({ description: 'Hosts that would get something else, of those that the caller may see.' }),
    classes: z
      .array(
        z.object({
          configclass_id: z.int().meta({ description: 'Id of the config class.' }),
          configclass_name: z.string().meta({ description: 'Its name.' }),
          change: z.enum(['added', 'removed']).meta({ description: 'Whether the hosts get it or lose it.' }),
          hosts,
        }),
      )
      .meta({ description: 'Classes that hosts would get or lose.' }),
    changes: z
      .array(
        z.object({
          ...PARAMETER,
          before: oneSide.meta({ description: 'Current value of these hosts.' }),
          after: oneSide.meta({ description: 'Value after the change.' }),
          hosts,
        }),
      )
      .meta({ description: 'Values that would change, hosts with the same before and after together.' }),
    document: DOCUMENT.optional().meta({ description: 'Of the host that was asked for.' }),
  })
  .meta({ title: 'Preview', description: 'Effects of a write that is only previewed.' })
