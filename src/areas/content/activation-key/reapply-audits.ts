import type { Context } from '../../../context.ts'
import type { Resource } from '../../../kernel/index.ts'
import { recordHostChange } from '../host-content/content-host.ts'
import type { DriftingHost, loadFieldValues } from './drift-differences.ts'

type Values = Awaited<ReturnType<typeof loadFieldValues>>

/** Audits the changes of each host; yields how many hosts were changed. */
export async function auditChanges(
  tx: Context,
  hosts: Resource,
  drifting: readonly DriftingHost[],
  before: Values,
  after: Values,
): Promise<number> {
  let changed = 0
  for (const host of drifting) {
    const [old, now] = [before.get(host.id) ?? {}, after.get(host.id) ?? {}]
    const fields = Object.keys(now).filter((field) => JSON.stringify(now[field]) !== JSON.stringify(old[field]))
    if (fields.length === 0) continue
    changed += 1
    await recordHostChange(
      tx,
      hosts,
      host,
      Object.fromEntries(fields.map((field) => [field, [old[field], now[field]]] as const)),
    )
  }
  return changed
}
