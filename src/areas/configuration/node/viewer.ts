import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { type Condition, joinConditions, limitToVisible, type Registry, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { admitReveal, recordReveals } from '../../access/index.ts'
import { REVEAL } from '../smart-class-parameter/hidden.ts'
import type { Viewer } from './prepare.ts'

/**
 * Loads what the caller sees of a host's document: only visible parameters and facts, and hidden values, passwords and hashes with
 * permission to reveal them. Writes an audit if some are shown. {@throws Failure} denied
 */
export async function loadViewer(ctx: Context, hosts: Resource, id: number, isAsked: boolean): Promise<Viewer> {
  const viewer = await buildViewer(ctx, hosts.registry, { hosts, id })
  const { hidden, hiddenOfClasses, passwords } = viewer
  if (!passwords && hidden?.size === 0 && hiddenOfClasses?.size === 0) return viewer
  if (!(await admitReveal(ctx, isAsked))) return { ...viewer, hidden: NONE, hiddenOfClasses: NONE, passwords: false }
  await recordReveals(ctx, hosts, [id])
  return viewer
}

/**
 * Loads what the caller sees where classes of a host are explained: as in its document if they ask for hidden values. Else those of
 * classes are known, for who presents them to mask.
 */
export async function loadExplanationViewer(
  ctx: Context,
  hosts: Resource,
  id: number,
  isAsked: boolean,
): Promise<Viewer> {
  return isAsked ? loadViewer(ctx, hosts, id, true) : maskViewer(await buildViewer(ctx, hosts.registry, { hosts, id }))
}

/** Yields the viewer without passwords and hidden values of parameters of hosts, groups, … */
export function maskViewer(viewer: Viewer): Viewer {
  return { ...viewer, hidden: NONE, passwords: false }
}

const NONE: ReadonlySet<number> = new Set()

/** Loads what a caller may see of documents of any hosts, to compare them; no passwords, which depend on the host. */
export async function loadViewerOfMany(ctx: Context, registry: Registry): Promise<Viewer> {
  return buildViewer(ctx, registry, null)
}

type Kind = 'parameters' | 'hidden' | 'hiddenOfClasses' | 'host' | 'facts'

async function buildViewer(
  ctx: Context,
  registry: Registry,
  one: { readonly hosts: Resource; readonly id: number } | null,
): Promise<Viewer> {
  const limitTo = (name: string, permission: string) => {
    const resource = registry.get(name)
    return resource ? limitToVisible(ctx, resource, permission) : []
  }
  const parts: readonly ViewerPart[] = [
    { kind: 'parameters', table: 'parameters', conditions: limitTo('parameter', 'view_params') },
    { kind: 'hidden', table: 'parameters', conditions: limitTo('parameter', 'reveal_params'), among: HIDDEN_ONES },
    {
      kind: 'hiddenOfClasses',
      table: 'smart_class_parameters',
      among: HIDDEN_ONES,
      conditions: limitTo('smart_class_parameter', REVEAL),
    },
    {
      kind: 'facts',
      table: 'hosts',
      conditions: limitTo('host', 'view_facts'),
      ...(one && { among: sql`t.id = ${one.id}` }),
    },
    ...(one
      ? [
          {
            ...({ kind: 'host', table: 'hosts', among: sql`t.id = ${one.id}` } as const),
            conditions: limitToVisible(ctx, one.hosts, 'reveal_hosts'),
          },
        ]
      : []),
  ]
  const limited = parts.filter(({ conditions }) => conditions.length > 0)
  const found = limited.length === 0 ? [] : await rows<{ kind: Kind; id: number }>(ctx.db, selectAllowed(limited))
  const collectSeen = (kind: Kind) =>
    limited.some((part) => part.kind === kind)
      ? new Set(found.flatMap((row) => (row.kind === kind ? [row.id] : [])))
      : null
  return {
    parameters: collectSeen('parameters'),
    hidden: collectSeen('hidden'),
    hiddenOfClasses: collectSeen('hiddenOfClasses'),
    facts: collectSeen('facts'),
    passwords: one !== null && (collectSeen('host')?.has(one.id) ?? true),
  }
}

interface ViewerPart {
  readonly kind: Kind
  readonly table: string
  readonly conditions: readonly Condition[]
  readonly among?: Sql
}

const HIDDEN_ONES = sql`t.hidden_value`

function selectAllowed(parts: readonly ViewerPart[]): Sql {
  const selected = parts.map(
    ({ kind, table, conditions, among = sql`true` }) =>
      sql`select ${sql.lit(kind)} as kind, t.id from ${sql.table(table)} t where ${among} and ${joinConditions(conditions)}`,
  )
  return sql`${sql.join(selected, sql` union all `)} order by 1, 2`
}
