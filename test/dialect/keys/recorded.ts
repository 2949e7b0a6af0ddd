import { recordedSections } from '../original/lines.ts'
import { isList, isObject, type Json, recordedCases } from '../replay/exchanges.ts'

/** A key of a record in lists, or of a single record. */
export interface Key {
  readonly segment: string
  readonly view: 'list' | 'show'
  readonly key: string
}

interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly answer: Json
}

/** Lists every key with which a real server has answered. */
export function recordedKeys(): Key[] {
  const exchanges = recordedCases().flatMap(({ exchanges: members }) =>
    members.map(({ method, url, status, response }): Answered => ({ method, path: url, status, answer: response })),
  )
  const lines = recordedSections().flatMap(({ lines: members }) =>
    members.map(({ method, path, status, answer = null }): Answered => ({ method, path, status, answer })),
  )
  return [...exchanges, ...lines].flatMap(keysOf)
}

/** Lists the names of all settings that a real server has shown. */
export function recordedSettings(): string[] {
  const named = (value: Json): string[] => {
    if (isList(value)) return value.flatMap(named)
    if (!isObject(value)) return []
    const own = typeof value.settings_type === 'string' && typeof value.name === 'string' ? [value.name] : []
    return [...own, ...Object.values(value).flatMap(named)]
  }
  const answers = recordedCases().flatMap(({ exchanges }) => exchanges.map(({ response }) => response))
  return [...new Set(answers.flatMap(named))]
}

const PATH = /^(?:https?:\/\/[^/]+)?\/(?:(katello\/)|(?:foreman_puppet|foreman_tasks)\/)?api\/(?:v2\/)?([^?]*)/

/** Yields what follows the prefix of a path to records or one of them, also below another; null for any other path. */
export function segmentIn(path: string): string | null {
  const [segment, , below, , ...further] = segmentsOf(path)
  if (segment === undefined || further.length > 0) return null
  return below === undefined ? segment : `${segment}/${below}`
}

function segmentsOf(path: string): string[] {
  const [, content = '', rest = ''] = PATH.exec(path) ?? []
  const [first, ...others] = rest.split('/').filter(Boolean)
  return first === undefined ? [] : [`${content}${first}`, ...others]
}

function keysOf({ method, path, status, answer }: Answered): Key[] {
  const segment = segmentIn(path)
  if (status >= 300 || segment === null || !isObject(answer) || method === 'DELETE') return []
  const keys = (view: Key['view'], record: Json): Key[] =>
    isObject(record) ? pathsIn(record).map((key) => ({ segment, view, key })) : []
  const isCollection = segmentsOf(path).length % 2 === 1
  if (method === 'GET' && isCollection && isList(answer.results))
    return answer.results.flatMap((one) => keys('list', one))
  const isRecord = 'id' in answer && !('results' in answer) && !('input' in answer)
  return isRecord && isCollection === (method === 'POST') ? keys('show', answer) : []
}

/** Objects whose keys users choose, or whose keys depend on the record. */
const OPEN =
  /^(?:facts|results|permissions|input|output|humanized|audited_changes|vm_attrs|attributes|.*values?|metrics|parameters\.value)$/

/** Lists the keys of a record, with those of nested records and list items behind a dot. */
export function pathsIn(record: Readonly<Record<string, Json>>): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const inner = OPEN.test(key) ? [] : [value].flat().filter(isObject)
    return [key, ...inner.flatMap((each) => Object.keys(each).map((name) => `${key}.${name}`))]
  })
}
