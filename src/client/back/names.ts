import { type Members, membersOf, resultsOf } from '../../lib/values.ts'
import type { Target } from '../commands/contexts.ts'
import { ask, askWell, refusal } from '../request.ts'
import type { Change } from './changes.ts'
import { BACK_KINDS, NAMED_ONLY } from './kinds.ts'

/** Finds the names of records by their types and ids. */
export interface Names {
  /** Finds a record as it is now; null where it is gone, or where its type has no names. */
  readonly load: (type: string, id: number) => Promise<Members | null>
  /** Finds the name of today by which hammer knows a record. */
  readonly find: (type: string, id: number) => Promise<string | null>
}

/** Opens a cache of names. */
export function openNames(target: Target): Names {
  const known = new Map<string, Promise<Members | null>>()
  const load = (type: string, id: number) => {
    const path = pathOf(type)
    if (path === undefined) return Promise.resolve(null)
    const key = `${path}/${id}`
    const loading = known.get(key) ?? loadRecord(target, key)
    known.set(key, loading)
    return loading
  }
  const find = async (type: string, id: number) => {
    const name = membersOf(await load(type, id))[labelOf(type)]
    return typeof name === 'string' ? name : null
  }
  return { load, find }
}

async function loadRecord(target: Target, path: string): Promise<Members | null> {
  const listed = LISTED.exec(path)
  if (listed) {
    const { body } = await askWell(target, { method: 'GET', path: `${listed[1]}?per_page=all` })
    return resultsOf(body).find(({ id }) => id === Number(listed[2])) ?? null
  }
  const reply = await ask(target, { method: 'GET', path })
  if (reply.status === 404) return null
  if (reply.status >= 400) throw refusal(reply, target)
  return membersOf(reply.body)
}

/** Lists whose records are not shown one by one. */
const LISTED = /^(\/api\/(?:auth_sources|template_kinds))\/(\d+)$/

function pathOf(type: string): string | undefined {
  if (type === 'SmartClassParameter') return '/api/smart_class_parameters'
  return (BACK_KINDS[type] ?? NAMED_ONLY[type])?.path
}

/** Yields the key of the name by which hammer knows records of a type. */
function labelOf(type: string): string {
  return (BACK_KINDS[type] ?? NAMED_ONLY[type])?.by ?? 'name'
}

/** Yields the name that the old server has for a record that is called `today` here. */
export function computeFormerName({ type, before }: Pick<Change, 'type' | 'before'>, today: string): string {
  const label = labelOf(type)
  if (typeof before[label] === 'string' && (label !== 'title' || 'parent_id' in before)) return before[label]
  // The record above is renamed first, so the old server has its new name.
  const isBelow = label === 'title' && type !== 'Operatingsystem' && typeof before['name'] === 'string'
  return isBelow ? `${today.slice(0, today.lastIndexOf('/') + 1)}${before['name']}` : today
}
