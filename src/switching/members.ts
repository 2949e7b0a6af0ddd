import { createHash } from 'node:crypto'
import type { Registry, Resource } from '../kernel/index.ts'
import { isMembers, type Members } from '../lib/values.ts'
import { FURTHER_MEMBERS, type Member } from './further-members.ts'
import type { Kind } from './kinds.ts'

/** A list of records that are written together with their owner. */
export interface Part {
  readonly key: string
  /** The key of answers. */
  readonly shown: string
  readonly members: readonly Member[]
}

/** The parts of a record that an import takes. */
export interface Shape {
  readonly members: readonly Member[]
  readonly parts: readonly Part[]
}

/** Describes the records of a kind by the declaration of their resource: each key that answers show and requests may send. */
export function describeShape(registry: Registry, resource: Resource, kind: Pick<Kind, 'leave'>): Shape {
  const leave = new Set([...NEVER, ...(kind.leave ?? [])])
  const placed = resource.placed.filter(({ name, field }) => name !== undefined && !leave.has(name) && !field.secret)
  const declared = placed.flatMap((one) => describeMember(resource, one) ?? [])
  const further = FURTHER_MEMBERS[resource.name] ?? []
  const members = [...declared.filter(({ key }) => !further.some((one) => one.key === key)), ...further]
  const parts = placed.flatMap(({ name, field, at }): Part[] => {
    const [key] = Object.keys(field.writable(at))
    if (field.kind !== 'parts' || key === undefined) return []
    const target = registry.get(name === 'parameters' ? 'parameter' : toSingular(name))
    return target ? [{ key, shown: name, members: membersOfPart(target, key) }] : []
  })
  return { members, parts }
}

/** Keys of bodies that are no values of the record. */
const NEVER = ['audit_comment', 'current_password', 'template_combinations', 'smart_class_parameters', 'content_source']

function membersOfPart(target: Resource, key: string): Member[] {
  const owner = target.name === 'interface' ? ['host'] : []
  const placed = target.placed.filter(({ name, field }) => !field.secret && !owner.includes(name) && name !== 'as_sent')
  const members = placed.flatMap((one) => describeMember(target, one) ?? [])
  return key.endsWith('_parameters_attributes') ? members.filter(({ target: link }) => link === undefined) : members
}

type Placed = Resource['placed'][number]

function describeMember(resource: Resource, { name, field, at }: Placed): Member | null {
  const keys = Object.keys(field.writable(at))
  const { refersTo } = field
  if (keys.length === 0 || field.kind === 'parts') return null
  const many = keys.find((key) => key.endsWith('_ids'))
  if (field.kind === 'links' && many) {
    const read = (record: Members) => (many in record ? record[many] : readIds(record[name]))
    return { key: many, read, ...(refersTo && { target: refersTo.resource }) }
  }
  const one = keys.find((key) => key === `${name}_id`)
  if (refersTo && one) {
    return {
      key: one,
      target: refersTo.resource,
      read: (record) => (one in record ? record[one] : readId(record[name])),
    }
  }
  if (name === 'ignore_types') return { key: name, read: (record) => record.select_all_types }
  const isShown = [name, `${name}?`].some((key) => resource.views.show.includes(key))
  if (!keys.includes(name) || !isShown) return null
  return { key: name, read: (record) => (name in record ? record[name] : record[`${name}?`]) }
}

function readIds(list: unknown): unknown {
  return Array.isArray(list) ? list.map((item) => (isMembers(item) ? item.id : item)) : undefined
}

function readId(linked: unknown): unknown {
  return isMembers(linked) ? linked.id : linked === null ? null : undefined
}

function toSingular(plural: string): string {
  return plural.replace(/s$/, '')
}

/** Computes a short text that only equal values have in common; lists of ids are equal in any order. */
export function computeDigest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(normalize(value)))
    .digest('base64url')
    .slice(0, 22)
}

/** Whether two values of a body mean the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normalize(one)) === JSON.stringify(normalize(other))
}

function normalize(value: unknown): unknown {
  if (value === undefined || value === '') return null
  if (Array.isArray(value)) {
    const items = value.map(normalize)
    return items.every((item) => typeof item === 'number') ? items.toSorted((a, b) => Number(a) - Number(b)) : items
  }
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, normalize(value[key])]),
  )
}
