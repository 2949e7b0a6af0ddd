import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Stored } from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import { type PlannedTask, planTask, type TaskValues } from '../../tasks/index.ts'

interface NamedView {
  readonly id: number
  readonly name: string
  readonly label: string
}

/** The kind of a task about a view, with the words for people. */
export interface ViewTask {
  readonly kind: string
  /** People read it before the name of the view and of other records in the input: `Publish`. */
  readonly verb: string
  readonly input?: TaskValues
}

/** Plans a task about a view. Its input names the view and the organization (content-api §2.10). */
export async function planViewTask(
  tx: Context,
  view: Stored,
  { kind, verb, input = {} }: ViewTask,
): Promise<PlannedTask> {
  const { id, name, label } = view
  const organization = await row<NamedView>(
    tx.db,
    sql`select id, name, label from organizations where id = ${view.organization_id}`,
  )
  return planTask(tx, {
    kind,
    action: verb,
    input: { content_view: { id, name, label }, organization, ...input },
    organization: Number(view.organization_id),
  })
}

/** Reads the id of the view from the input of a task that `planViewTask` planned. */
export function readViewId(input: TaskValues): number {
  return idOf(input.content_view)
}
