import { isMembers, type Members } from '../lib/values.ts'

/** A key of the body that creates a record, and how it is read from a record as answers show it. */
export interface Member {
  readonly key: string
  readonly read: (record: Members) => unknown
  /** The resource whose ids it holds. */
  readonly target?: string
  /** Translates ids within the value. */
  readonly translate?: (value: unknown, map: (target: string, id: unknown) => number | undefined) => unknown
}

const readIds = (list: unknown) =>
  Array.isArray(list) ? list.map((one) => (isMembers(one) ? one.id : one)) : undefined
const readValue = (key: string): Member => ({ key, read: (record) => record[key] })

/** Keys that no field of the declaration explains, by kind. */
export const FURTHER_MEMBERS: Readonly<Record<string, readonly Member[]>> = {
  organization: [readValue('label')],
  smart_class_parameter: [
    readValue('parameter'),
    {
      key: 'configclass_id',
      target: 'configclass',
      read: ({ configclass_id, configclass }) =>
        configclass_id ?? (isMembers(configclass) ? configclass.id : undefined),
    },
    { key: 'environment_ids', target: 'environment', read: ({ environments }) => readIds(environments) },
  ],
  content_view_version: [
    { key: 'content_view_id', target: 'content_view', read: (record) => record.content_view_id },
    readValue('major'),
    readValue('minor'),
    readValue('description'),
    { key: 'environment_ids', target: 'lifecycle_environment', read: ({ environments }) => readIds(environments) },
  ],
  content_view_component: [
    { key: 'composite_content_view_id', target: 'content_view', read: readIdOf('composite_content_view') },
    { key: 'content_view_id', target: 'content_view', read: readIdOf('content_view') },
    {
      key: 'content_view_version_id',
      target: 'content_view_version',
      read: (record) => (record.latest === true ? null : readIdOf('content_view_version')(record)),
    },
    readValue('latest'),
  ],
  activation_key: [
    {
      key: 'content_view_environments',
      read: readPairsOfKey,
      translate: (pairs, map) => translatePairs(pairs, map, 'environment_id'),
    },
  ],
  host: [
    {
      key: 'content_facet_attributes',
      read: readPairsOfHost,
      translate: (facet, map) =>
        isMembers(facet) && {
          content_view_environments: translatePairs(facet.content_view_environments, map, 'lifecycle_environment_id'),
        },
    },
    { key: 'subscription_facet_attributes', read: readPurpose },
  ],
}

function readIdOf(key: string): Member['read'] {
  return (record) => {
    const linked = record[key]
    return isMembers(linked) ? linked.id : null
  }
}

type MapId = (target: string, id: unknown) => number | undefined

/** The pairs of a key: a list on newer servers, one pair in two keys on older ones. */
function readPairsOfKey({ content_view_environments: list, environment_id, content_view_id }: Members): unknown {
  const pairs = readPairs(list, 'environment_id')
  if (pairs.length > 0) return pairs
  return typeof environment_id === 'number' && typeof content_view_id === 'number'
    ? [{ environment_id, content_view_id }]
    : []
}

function readPairsOfHost({ content_facet_attributes: facet }: Members): unknown {
  if (!isMembers(facet)) return undefined
  const { content_view_id, lifecycle_environment_id } = facet
  const pairs = readPairs(facet.content_view_environments, 'lifecycle_environment_id')
  const single = typeof content_view_id === 'number' && typeof lifecycle_environment_id === 'number'
  const all = pairs.length === 0 && single ? [{ lifecycle_environment_id, content_view_id }] : pairs
  return all.length > 0 ? { content_view_environments: all } : undefined
}

function readPairs(list: unknown, key: string): Members[] {
  const entries = Array.isArray(list) ? list.filter(isMembers) : []
  return entries.flatMap(({ environment, lifecycle_environment, content_view }) => {
    const place = lifecycle_environment ?? environment
    return isMembers(place) && isMembers(content_view) ? [{ [key]: place.id, content_view_id: content_view.id }] : []
  })
}

function translatePairs(pairs: unknown, map: MapId, key: string): unknown {
  return (Array.isArray(pairs) ? pairs.filter(isMembers) : []).flatMap((pair) => {
    const place = map('lifecycle_environment', pair[key])
    const view = map('content_view', pair.content_view_id)
    return place === undefined || view === undefined ? [] : [{ [key]: place, content_view_id: view }]
  })
}

const PURPOSE = ['service_level', 'release_version', 'purpose_usage', 'purpose_role', 'purpose_addons', 'autoheal']

function readPurpose({ subscription_facet_attributes: facet }: Members): unknown {
  if (!isMembers(facet)) return undefined
  const told = PURPOSE.flatMap((key): [string, unknown][] => {
    const value = facet[key]
    const names = Array.isArray(value) ? value.map((one) => (isMembers(one) ? one.name : one)) : value
    return value === undefined ? [] : [[key, names]]
  })
  return Object.fromEntries(told)
}
