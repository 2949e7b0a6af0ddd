import { findResource, type Registry, type Resource, typeOf } from '../../../kernel/index.ts'
import { rememberEach } from '../../../lib/lazy.ts'

/** A kind of events, such as `host.created`. */
export interface Kind {
  readonly type: string
  readonly resource: Resource
  /** The word in audits or notes for what happened. */
  readonly action: string
  /** Whether a note records it; else an audit does. */
  readonly noted: boolean
}

const AUDITED = { create: 'created', update: 'updated', destroy: 'deleted', reveal: 'revealed' } as const

/** Records whose hidden values, or those of whose documents, users may see. */
const HIDING = new Set(['parameter', 'smart_class_parameter', 'host', 'hostgroup'])

/** What no audit records (migration 0056). */
const NOTED = ['user.logged_in', 'task.started', 'task.finished', 'config_run.started', 'config_run.finished'] as const

/** Lists all kinds of events by their types. */
export const listKinds = rememberEach((registry: Registry): ReadonlyMap<string, Kind> => {
  const audited = listAudited(registry).flatMap((resource) =>
    Object.entries(AUDITED)
      .filter(([action]) => action !== 'reveal' || HIDING.has(resource.name))
      .map(([action, word]) => ({ type: `${resource.name}.${word}`, resource, action, noted: false })),
  )
  const noted = NOTED.map((type) => {
    const [name = '', action = ''] = type.split('.')
    return { type, resource: findResource(registry, name), action, noted: true }
  })
  return new Map([...audited, ...noted].map((kind) => [kind.type, kind]))
})

/** Lists the kinds by the words that audits and notes have for them. */
export const listKindsByRecord = rememberEach(
  (registry: Registry): ReadonlyMap<string, Kind> =>
    new Map([...listKinds(registry).values()].map((kind) => [recordKeyOf(kind), kind])),
)

/** The words of an audit or a note for the kind of an event: `Host create`, `task started`. */
export function recordKeyOf({ resource, action, noted }: Kind): string {
  return `${noted ? resource.name : resource.type} ${action}`
}

/** Lists the audited resources, of those whose audits have the same type the one that the type is named after. */
function listAudited(registry: Registry): Resource[] {
  const byType = Map.groupBy(
    [...registry.values()].filter(({ audited }) => audited),
    ({ type }) => type,
  )
  return [...byType].flatMap(
    ([type, resources]) => resources.find(({ name }) => typeOf({ name }) === type) ?? resources[0] ?? [],
  )
}

/** Whether a pattern such as `host.created`, `host.*`, `*.deleted` or `*` is for this type. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  const [wanted, word] = pattern.split('.')
  const [name, happened] = type.split('.')
  return (wanted === '*' || wanted === name) && (word === '*' || word === happened)
}

/** Yields the reason why a pattern is for no kind; null for one that is for some. */
export function explainPattern(registry: Registry, pattern: string): string | null {
  const types = [...listKinds(registry).keys()]
  if (types.some((type) => matchesType(pattern, type))) return null
  return `has ${JSON.stringify(pattern)}, which no event is called: allowed are types of GET /api/events/kinds, and patterns such as host.*, *.deleted and *`
}
