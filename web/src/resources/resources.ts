import index from '../generated/index.json'
import { explain } from '../words/explanations.ts'
import { nameOf } from '../words/words.ts'
import type { ResourceFull, ResourceShort } from './description.ts'

const RESOURCES = index as unknown as readonly ResourceShort[] // web/build writes it in this shape
const BY_PLURAL = new Map(RESOURCES.map((resource) => [resource.plural, resource]))
const FULL = import.meta.glob<{ default: ResourceFull }>('../generated/resources/*.json')

/** Lists all resources. */
export function listResources(): readonly ResourceShort[] {
  return RESOURCES
}

/** Finds the resource by its type in audits. */
export function findResourceOfType(type: string): ResourceShort | undefined {
  return RESOURCES.find((resource) => resource.type === type)
}

/** Names the kind of record that a type in audits, of an owner or of a record itself means. */
export function nameOfType(type: string): string {
  const resource = findResourceOfType(type) ?? findResourceOfClass(type)
  return resource ? nameOf(resource.plural, 'one') : type
}

/** Finds the resource that has a type for itself where audits have one for several, such as sources of logins. */
function findResourceOfClass(type: string): ResourceShort | undefined {
  if (!/^[A-Z]/.test(type)) return undefined
  const name = type.replace(/\B[A-Z]/g, '_$&').toLowerCase()
  return RESOURCES.find((resource) => resource.name === name)
}

/** A record in an answer of the API. */
export type ApiRecord = Readonly<Record<string, unknown>>

export function findResource(plural: string): ResourceShort | undefined {
  return BY_PLURAL.get(plural)
}

/** Yields the records of a page; some lists group them: classes by module, and facts (as name and value) by host. */
export function recordsOf(results: unknown): ApiRecord[] {
  if (Array.isArray(results)) return results
  return Object.entries((results ?? {}) as Record<string, unknown>).flatMap(([host_name, group]) =>
    Array.isArray(group)
      ? (group as ApiRecord[])
      : Object.entries(group as ApiRecord).map(([name, value]) => ({ host_name, name, value })),
  )
}

/** Loads the full description of a resource, when its pages are opened. */
export async function loadResource(plural: string): Promise<ResourceFull> {
  const load = FULL[`../generated/resources/${plural}.json`]
  if (!load) throw new Error(`There is no resource ${plural}`)
  const [full, inWords] = await Promise.all([load(), explain()])
  return inWords(full.default)
}

/** Yields the path of a record in the console: hosts by name, others by id. */
export function pathOfRecord(resource: ResourceShort, record: ApiRecord): string {
  const segment = resource.plural === 'hosts' && typeof record.name === 'string' ? record.name : record.id
  return `/${resource.plural}/${encodeURIComponent(String(segment))}`
}

/** Yields the label of a record, in words where it has any; one without a name is called by its resource and number. */
export function textOf(record: ApiRecord, { label, plural }: Named): string {
  for (const key of ['full_name', label, 'title', 'name', 'login', 'parameter', 'auditable_name']) {
    const value = record[key]
    if (key !== 'id' && ((typeof value === 'string' && value !== '') || typeof value === 'number')) return String(value)
  }
  const id = record.id === undefined ? '?' : String(record.id)
  return plural === undefined ? id : `${nameOf(plural, 'one')} ${id}`
}

interface Named extends Pick<ResourceShort, 'label'> {
  readonly plural?: string
}

/** The list that a page is about: below another record, or all records. */
export interface Where {
  readonly resource: ResourceShort
  /** The path of the list in the API. */
  readonly list: string
  /** The path of the list in the console. */
  readonly home: string
  readonly parent: { readonly resource: ResourceShort; readonly id: string } | null
}

interface Parameters {
  readonly resource?: string
  readonly parent?: string
  readonly parentId?: string
}

/** Resolves the address of a derived page; null when there is no such resource. */
export function whereOf({ resource: plural = '', parent: above, parentId }: Parameters): Where | null {
  const resource = findResource(plural)
  const list = resource?.operations.list
  if (!resource || !list) return null
  if (above === undefined || parentId === undefined) {
    return resource.within === null ? { resource, list: list.path, home: `/${plural}`, parent: null } : null
  }
  const parent = findResource(above)
  if (!parent?.operations.show) return null
  const prefix = parent.operations.show.path.replace(/:\w+$/, encodeURIComponent(parentId))
  const home = `/${above}/${encodeURIComponent(parentId)}/${plural}`
  return { resource, list: `${prefix}/${wordInPathsOf(resource)}`, home, parent: { resource: parent, id: parentId } }
}

function wordInPathsOf({ operations, plural }: ResourceShort): string {
  return operations.list?.path.split('/').at(-1) ?? plural
}

/** Yields the API path of one record. */
export function apiPathOf(
  { resource, list, parent }: Where,
  id: string,
  operation: 'show' | 'update' | 'delete',
): string {
  const own = resource.operations[operation]?.path
  const isNested = parent !== null && resource.within !== null
  return isNested || !own ? `${list}/${encodeURIComponent(id)}` : own.replace(/:\w+/, encodeURIComponent(id))
}
