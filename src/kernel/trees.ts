import type { Tree } from '../context.ts'

/** These, what lies below them and what lies above them, in a fixed order. */
export function familyOf(tree: Tree, ids: readonly number[]): readonly number[] {
  const family = new Set(ids)
  for (const id of ids) {
    const node = tree.get(id)
    for (const relative of node?.above ?? []) family.add(relative)
    for (const relative of node?.below ?? []) family.add(relative)
  }
  return [...family].sort((a, b) => a - b)
}

/** These and what lies below them, in a fixed order: where a record may be that belongs to one only. */
export function withBelow(tree: Tree, ids: readonly number[]): readonly number[] {
  return [...new Set(ids.flatMap((id) => [id, ...(tree.get(id)?.below ?? [])]))].sort((a, b) => a - b)
}

/** Whether one of these takes in all records of the type. */
export function takesIn(tree: Tree, ids: readonly number[], type: string): boolean {
  return ids.some((id) => tree.get(id)?.takesIn.includes(type))
}
