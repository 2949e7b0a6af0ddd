import { compile } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { findLocked } from '../../../kernel/index.ts'
import { joinAll, sql } from '../../../sql.ts'
import type { ParameterChange } from '../explanation/effects.ts'
import type { Watched } from '../explanation/present-preview.ts'
import type { Watch } from '../explanation/preview.ts'
import { hasClass } from '../explanation/reach.ts'
import { limitToVisibleHosts } from '../explanation/visible-hosts.ts'
import { loadPlacedParameters } from '../node/catalog.ts'
import { type ClassOwner, findClass, PERMISSIONS } from './assigned.ts'

/**
 * Watches the assignment of a class: it concerns the host, or the hosts below the host group, that gain or lose the
 * class by it.
 */
export function watchAssignment(owner: ClassOwner): Watch {
  return async (ctx, resource, input) => {
    const { id } = await findLocked(ctx, resource, input, { permission: PERMISSIONS[owner] })
    const configclass = await findClass(ctx, resource, owner, input)
    const loadHolders = () =>
      loadHosts(ctx, joinAll([limitToVisibleHosts(ctx, resource.registry), isBelow(owner, id), hasClass(configclass)]))
    const before = await loadHolders()
    return async () => {
      const after = await loadHolders()
      return computeChanges(ctx, configclass, withoutIds(before, after), withoutIds(after, before))
    }
  }
}

function isBelow(owner: ClassOwner, id: number): Sql {
  if (owner === 'host') return sql`t.id = ${id}`
  return sql`t.hostgroup_id in (select g.id from hostgroups g where ${id}::bigint = any (g.ancestor_ids || g.id))`
}

async function loadHosts(ctx: Context, condition: Sql): Promise<readonly number[]> {
  const found = await row<{ ids: readonly number[] }>(
    ctx.db,
    sql`select coalesce(json_agg(t.id), '[]') as ids from hosts t where ${condition}`,
  )
  return found?.ids ?? []
}

function withoutIds(ids: readonly number[], others: readonly number[]): readonly number[] {
  const excluded = new Set(others)
  return ids.filter((id) => !excluded.has(id))
}

/** Computes the changes of hosts that gain or lose a class; one of the two lists is empty. */
async function computeChanges(
  ctx: Context,
  configclass: number,
  gone: readonly number[],
  come: readonly number[],
): Promise<Watched> {
  const named = await row<{ name: string }>(ctx.db, sql`select name from configclasses where id = ${configclass}`)
  const hidden = await rows<{ id: number }>(
    ctx.db,
    sql`select id from smart_class_parameters where configclass_id = ${configclass} and hidden_value`,
  )
  const isAdded = come.length > 0
  const hosts = isAdded ? come : gone
  const change = { configclass_id: configclass, configclass_name: named?.name ?? '', hosts }
  return {
    pairs: hosts.length === 0 ? [] : await pairsOf(ctx, configclass, isAdded),
    hosts: sql`t.id = any (${hosts}::bigint[])`,
    classes: hosts.length === 0 ? [] : [{ ...change, change: isAdded ? 'added' : 'removed' }],
    hidden: hidden.map(({ id }) => id),
  }
}

async function pairsOf(ctx: Context, configclass: number, isAdded: boolean): Promise<ParameterChange[]> {
  if (!ctx.settings.Parametrized_Classes_in_ENC) return []
  const placed = await loadPlacedParameters(ctx, sql`p.override and p.configclass_id = ${configclass}`)
  return placed.flatMap(({ parameter, environments }): ParameterChange[] => {
    const [compiled = null] = compile([parameter]).parameters
    return [{ before: isAdded ? null : compiled, after: isAdded ? compiled : null, environments }]
  })
}
