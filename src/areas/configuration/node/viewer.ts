import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  type Condition,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { EDIT } from '../smart-class-parameter/hidden.ts'
import type { Viewer } from './prepare.ts'

/**
 * Loads what the caller may see of a host's document: only visible parameters and facts, hidden values of parameters
 * with permission to edit them, passwords and hashes with permission to edit the host. At most one statement; none for
 * callers who may do everything.
 */
export async function loadViewer(ctx: Context, hosts: Resource, id: number): Promise<Viewer> {
  return buildViewer(ctx, hosts.registry, { hosts, id })
}

/** Loads what a caller may see of documents of any hosts; no passwords, which depend on the host. */
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
    { kind: 'hidden', table: 'parameters', conditions: limitTo('parameter', 'edit_params'), among: HIDDEN_ONES },
    {
      kind: 'hiddenOfClasses',
      table: 'smart_class_parameters',
      among: HIDDEN_ONES,
      conditions: limitTo('smart_class_parameter', EDIT),
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
            conditions: limitToVisible(ctx, one.hosts, permissionOf(one.hosts, 'edit')),
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
