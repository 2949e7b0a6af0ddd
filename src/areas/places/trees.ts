import type { Tree, Trees } from '../../context.ts'
import { type Db, rows } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

interface NodeRow {
  readonly kind: keyof Trees
  readonly id: number
  readonly above: readonly number[]
  readonly takesIn: readonly string[]
}

/** Loads the trees of organizations and locations. */
export async function loadTrees(db: Db): Promise<Trees> {
  const nodes = await rows<NodeRow>(
    db,
    sql`
      select 'organizations' as kind, id, ancestor_ids as above, select_all_types as "takesIn" from organizations
      union all
      select 'locations', id, ancestor_ids, select_all_types from locations`,
  )
  const treeOf = (kind: keyof Trees) => buildTree(nodes.filter((node) => node.kind === kind))
  return { organizations: treeOf('organizations'), locations: treeOf('locations') }
}

function buildTree(nodes: readonly NodeRow[]): Tree {
  const below = new Map<number, number[]>(nodes.map(({ id }) => [id, []]))
  for (const { id, above } of nodes) for (const ancestor of above) below.get(ancestor)?.push(id)
  return new Map(nodes.map(({ id, above, takesIn }) => [id, { above, below: below.get(id) ?? [], takesIn }]))
}
