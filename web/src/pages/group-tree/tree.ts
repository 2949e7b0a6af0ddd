import { type ApiRecord, recordsOf } from '../../resources/resources.ts'
import { labelOf, nameOf } from '../../words/words.ts'

/** A value that a group sets itself, with its label. */
interface OwnValue {
  readonly label: string
  readonly value: string
}

/** A group in its tree. */
export interface Group {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly parent: number | null
  /** The number of groups above it. */
  readonly depth: number
  readonly hasChildren: boolean
  /** What this level adds to the levels above. */
  readonly fields: readonly OwnValue[]
  readonly parameters: readonly OwnValue[]
}

/** Arranges groups so that each follows its parent; one whose parent is not visible stands at the top. */
export function buildTree(records: readonly ApiRecord[]): readonly Group[] {
  const ids = new Set(records.map(({ id }) => Number(id)))
  const parentOf = ({ parent_id: parent }: ApiRecord) => (typeof parent === 'number' && ids.has(parent) ? parent : null)
  const below = Map.groupBy(records, parentOf)
  const list = (parent: number | null, depth: number): readonly Group[] =>
    (below.get(parent) ?? []).flatMap((record) => {
      const id = Number(record.id)
      const group: Group = {
        id,
        name: String(record.name),
        title: String(record.title),
        parent,
        depth,
        hasChildren: below.has(id),
        fields: [...listFields(record), ...listClasses(record)],
        parameters: recordsOf(record.parameters ?? []).map(({ name, value, 'hidden_value?': isHidden }) => ({
          label: String(name),
          value: isHidden === true ? '*****' : typeof value === 'string' ? value : JSON.stringify(value),
        })),
      }
      return [group, ...list(id, depth + 1)]
    })
  return list(null, 0)
}

/** Lists the records that a group names itself: its own ids, each with the name beside it. */
function listFields(record: ApiRecord): readonly OwnValue[] {
  return Object.keys(record).flatMap((key) => {
    const base = key.replace(/_id$/, '')
    const name = record[`${base}_name`]
    const isOwn = key !== base && base !== 'parent' && typeof record[key] === 'number' && typeof name === 'string'
    return isOwn ? [{ label: labelOf(key), value: name }] : []
  })
}

/** Lists the classes and class groups that a group names itself. */
function listClasses(record: ApiRecord): readonly OwnValue[] {
  return ['configclasses', 'config_groups'].flatMap((plural) => {
    const names = recordsOf(record[plural] ?? []).map(({ name }) => String(name))
    return names.length > 0 ? [{ label: nameOf(plural, 'many'), value: names.join(', ') }] : []
  })
}

/** Yields the groups that are shown: those that the text finds and what is above them, without what is folded away. */
export function listShown(groups: readonly Group[], closed: ReadonlySet<number>, text: string): readonly Group[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const listAbove = ({ parent }: Group): readonly Group[] => {
    const above = parent === null ? undefined : byId.get(parent)
    return above ? [above, ...listAbove(above)] : []
  }
  const sought = text.trim().toLowerCase()
  if (sought === '') return groups.filter((group) => listAbove(group).every(({ id }) => !closed.has(id)))
  const found = groups.filter(({ title }) => title.toLowerCase().includes(sought))
  const kept = new Set(found.flatMap((group) => [group, ...listAbove(group)]))
  return groups.filter((group) => kept.has(group))
}
