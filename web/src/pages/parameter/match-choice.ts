import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { usePaused } from '../../shell/paused.ts'

/** The records whose names an attribute of a match can have, the key of the name, and the permission to see them. */
interface Names {
  readonly plural: string
  readonly key: string
  readonly permission: string
}

const NAMES: Readonly<Record<string, Names>> = {
  fqdn: { plural: 'hosts', key: 'name', permission: 'view_hosts' },
  hostgroup: { plural: 'hostgroups', key: 'title', permission: 'view_hostgroups' },
  os: { plural: 'operatingsystems', key: 'title', permission: 'view_operatingsystems' },
  domain: { plural: 'domains', key: 'name', permission: 'view_domains' },
  environment: { plural: 'environments', key: 'name', permission: 'view_environments' },
  organization: { plural: 'organizations', key: 'title', permission: 'view_organizations' },
  location: { plural: 'locations', key: 'title', permission: 'view_locations' },
  architecture: { plural: 'architectures', key: 'name', permission: 'view_architectures' },
  model: { plural: 'models', key: 'name', permission: 'view_models' },
}

/** So many names are offered at once. */
const MOST = 20

/** Yields the match texts that may continue a typed one: an attribute of a line of the order, or a record of its kind. */
export function useMatches(lines: readonly string[], match: string): readonly string[] {
  const caller = useCaller()
  const before = match.slice(0, match.lastIndexOf(',') + 1)
  const [attribute = '', name] = splitPart(match.slice(before.length))
  const names = NAMES[attribute]
  const text = usePaused(name ?? '')
  const { data = [] } = useQuery({
    queryKey: ['matches', attribute, text],
    enabled: names !== undefined && name !== undefined && may(caller, [names.permission]),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      if (!names) return []
      const search = text === '' ? undefined : `"${text.replace(/["\\]/g, '\\$&')}"`
      const { body } = await sendRequest(`/api/${names.plural}`, { query: { search, per_page: MOST }, signal })
      return body.results.map((record: ApiRecord) => String(record[names.key]))
    },
  })
  const done = before.split(',').flatMap((part) => splitPart(part)[0] || [])
  if (name === undefined)
    return [...new Set(lines.flatMap((line) => continueLine(line, done)))].map((one) => before + one)
  return names ? data.map((one) => `${before}${attribute}=${one}`) : []
}

function splitPart(part: string): readonly [attribute: string, name?: string] {
  const at = part.indexOf('=')
  return at < 0 ? [part.trim()] : [part.slice(0, at).trim(), part.slice(at + 1)]
}

/** Yields the next attribute of a line that begins with these attributes. */
function continueLine(line: string, done: readonly string[]): readonly string[] {
  const attributes = line.split(',').map((one) => one.trim())
  const next = attributes[done.length]
  return next !== undefined && done.every((one, place) => attributes[place] === one) ? [`${next}=`] : []
}
