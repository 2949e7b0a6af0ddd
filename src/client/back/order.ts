import type { Change } from './changes.ts'
import { BACK_KINDS, type HammerOption } from './kinds.ts'

/**
 * Orders changes for another server: new and changed records in the order of their first changes, but behind the records that
 * they name and that are new or renamed; deletions last, because others refer to these records until then. A deletion comes
 * before the creation of a record with the same name.
 */
export function orderChanges(changes: readonly Change[]): Change[] {
  const ordered = new Set<Change>()
  const entered = new Set<Change>()
  const byKey = new Map(changes.map((change) => [`${change.type} ${change.id}`, change]))
  const deleted = changes.filter(({ isDeleted }) => isDeleted)
  const enter = (change: Change) => {
    if (entered.has(change)) return
    entered.add(change)
    const sameName = change.isCreated
      ? deleted.filter((one) => one.type === change.type && one.name === change.name)
      : []
    for (const one of sameName) ordered.add(one)
    const above = changes.filter((one) => isAbove(one, change))
    for (const one of [...above, ...listNamed(change, byKey)]) if (!one.isDeleted) enter(one)
    ordered.add(change)
  }
  for (const change of changes) if (!change.isDeleted && change.type !== 'OverrideValue') enter(change)
  for (const change of changes) if (!change.isDeleted) enter(change)
  for (const change of deleted) ordered.add(change)
  return [...ordered]
}

/** Tells whether a record is above another one in the tree of titles. */
function isAbove(one: Change, change: Change): boolean {
  return one.type === change.type && BACK_KINDS[one.type]?.by === 'title' && change.name.startsWith(`${one.name}/`)
}

/** Lists the new and renamed records that a change names. */
function listNamed({ type, after }: Change, byKey: ReadonlyMap<string, Change>): Change[] {
  const options: Readonly<Record<string, HammerOption>> = BACK_KINDS[type]?.options ?? {}
  return Object.entries(after).flatMap(([key, value]) => {
    const option = options[key]
    if (typeof option !== 'object' || !('of' in option)) return []
    return [value].flat().flatMap((id) => byKey.get(`${option.of} ${String(id)}`) ?? [])
  })
}
