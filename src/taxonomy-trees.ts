import type { Tree } from './context.ts'
import { rememberPairs } from './lib/lazy.ts'

/** The ids, their descendants and their ancestors, in a fixed order. */
export const familyOf = rememberPairs((tree: Tree, ids: readonly number[]): readonly number[] => {
  const family = new Set(ids)
  for (const id of ids) {
    const node = tree.get(id)
    for (const relative of node?.above ?? []) family.add(relative)
    for (const relative of node?.below ?? []) family.add(relative)
  }
  return [...family].sort((a, b) => a - b)
})

/** The ids and their descendants, in a fixed order: for records that belong to one organization or location only. */
export const withBelow = rememberPairs((tree: Tree, ids: readonly number[]): readonly number[] =>
  [...new Set(ids.flatMap((id) => [id, ...(tree.get(id)?.below ?? [])]))].sort((a, b) => a - b),
)

/** Whether one of these organizations or locations takes in all records of the type. */
export function includesAllOf(tree: Tree, ids: readonly number[], type: string): boolean {
  return ids.some((id) => tree.get(id)?.takesIn.includes(type))
}
