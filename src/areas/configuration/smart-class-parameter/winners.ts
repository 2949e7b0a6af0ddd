import { z } from 'zod'
import { resolveVersion } from '../../../classification/preview/affected.ts'
import type { Resolution } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import type { Action, Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { joinAll } from '../../../sql.ts'
import { loadCrowds } from '../explanation/effects.ts'
import { hasClass } from '../explanation/reach.ts'
import { limitToVisibleHosts } from '../explanation/visible-hosts.ts'
import { loadViewerOfMany } from '../node/viewer.ts'
import { loadInvisibleOverrides } from '../override-value/guard.ts'
import { findParameterId } from './operations.ts'
import { loadStored } from './preview.ts'
import { VIEW } from './scope.ts'

const count = z.int().meta({ description: 'Number of these hosts, of those that the caller may see.' })
const search = z
  .string()
  .nullable()
  .meta({ description: 'A search of hosts that finds exactly these; null for none, and for more than 500.' })

/** Counts for each override the hosts that get its value (docs/classification.md). */
export const winners: Action = {
  method: 'GET',
  path: '/:id/winners',
  name: 'winners',
  summary: 'Count the hosts that each override of a smart class parameter wins on',
  permissions: [VIEW],
  output: z
    .object({
      total: z.int().meta({ description: 'Hosts that get the parameter, of those that the caller may see.' }),
      default: z.object({ hosts: count, search }).meta({ description: 'Hosts that no override matches.' }),
      override_values: z
        .array(z.object({ id: z.int().meta({ description: 'Id of the override.' }), hosts: count, search }))
        .meta({ description: 'Overrides that win on at least one host, or take part in merging there.' }),
    })
    .meta({ title: 'Winners', description: 'The hosts of each override of a smart class parameter.' }),
  handle: answerWinners,
}

async function answerWinners(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const id = await findParameterId(ctx, resource, input, readIdSegment(input))
  const { hosts, byOverride } = await loadWinners(ctx, resource, id)
  const unseen = await loadInvisibleOverrides(ctx, resource.registry, [id])
  const seen = [...byOverride].filter(([override]) => override !== null && !unseen.has(override))
  return {
    status: 200,
    body: {
      total: hosts,
      default: presentHosts(byOverride.get(null) ?? []),
      override_values: seen.map(([override, ids]) => ({ id: override, ...presentHosts(ids) })),
    },
  }
}

interface Winners {
  /** The number of hosts that get the parameter. */
  readonly hosts: number
  /** Ids of hosts by the override whose value they get; null: that of the default. */
  readonly byOverride: ReadonlyMap<number | null, readonly number[]>
}

async function loadWinners(ctx: Context, { registry }: Resource, id: number): Promise<Winners> {
  const { version, configclass, environments } = await loadStored(ctx, id)
  const byOverride = new Map<number | null, number[]>()
  if (!version) return { hosts: 0, byOverride }
  // Nothing changes: hosts whose values differ in templates alone stay together.
  const pairs = [{ before: version, after: version, environments }]
  const reached = joinAll([hasClass(configclass), limitToVisibleHosts(ctx, registry)])
  const crowds = await loadCrowds(ctx, pairs, reached, () => loadViewerOfMany(ctx, registry))
  for (const crowd of crowds) {
    for (const override of listTaking(resolveVersion(version, crowd))) {
      const ids = byOverride.get(override) ?? []
      ids.push(...crowd.hosts)
      byOverride.set(override, ids)
    }
  }
  return { hosts: crowds.reduce((sum, { hosts }) => sum + hosts.length, 0), byOverride }
}

/** Lists the overrides whose values a host gets: the best one, or all that are merged; null where there is none. */
function listTaking(resolution: Resolution | null): readonly (number | null)[] {
  const { hits = [], merged = false } = resolution?.source ?? {}
  const found = merged ? hits.filter(({ matcher }) => !matcher.omit && matcher.value !== null) : hits.slice(0, 1)
  return found.length === 0 ? [null] : found.map(({ matcher }) => matcher.id)
}

/** The most hosts that a search names, so that it fits into an address. */
const MOST_NAMED = 500

function presentHosts(ids: readonly number[]): { readonly hosts: number; readonly search: string | null } {
  const isNameable = ids.length > 0 && ids.length <= MOST_NAMED
  const sorted = ids.toSorted((a, b) => a - b)
  return { hosts: ids.length, search: isNameable ? `id ^ (${sorted.join(', ')})` : null }
}
