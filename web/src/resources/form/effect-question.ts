import { sendRequest } from '../../api/client.ts'
import type { ApiRecord } from '../resources.ts'
import type { Body } from './values.ts'

/** The resources whose forms decide who may do what. */
export type Deciding = 'filters' | 'roles' | 'usergroups'

/** What the form would change: the record, if it exists, the role in the address of a new filter, and the body. */
export interface Intent {
  readonly plural: Deciding
  readonly id: string | null
  /** The role below which a new filter is made. */
  readonly role: string | null
  readonly body: Body
}

/** What `POST /api/access/what_if` is asked; null: nobody would gain or lose anything. */
export type Question = Readonly<Record<string, unknown>> | null

/** Builds the question about what would be saved, from what is stored. {@throws ApiError} */
export async function buildQuestion(intent: Intent): Promise<Question> {
  const { plural, id, body } = intent
  if (id === null) return plural === 'filters' ? { add_filters: [{ ...readRole(intent.role), ...body }] } : null
  const { body: stored }: { body: ApiRecord } = await sendRequest(`/api/${plural}/${encodeURIComponent(id)}`)
  if (plural === 'filters') return { remove_filters: [stored.id], add_filters: [{ ...contentOf(stored), ...body }] }
  return plural === 'roles' ? askAboutRole(stored, body) : askAboutGroup(stored, body)
}

function readRole(role: string | null): object {
  if (role === null) return {}
  return /^\d+$/.test(role) ? { role_id: Number(role) } : { role_name: role }
}

/** The values of a stored filter, as filters are created. */
function contentOf(filter: ApiRecord): Record<string, unknown> {
  return {
    role_id: membersOf(filter.role).id,
    permission_ids: listIds(filter.permissions),
    search: filter.search,
    override: filter['override?'],
    ...(filter['override?'] === true && {
      organization_ids: listIds(filter.organizations),
      location_ids: listIds(filter.locations),
    }),
  }
}

/** The most filters that one question may have. */
const MOST_FILTERS = 50

/** The places of a role are those of its filters that have none of their own. */
async function askAboutRole(role: ApiRecord, body: Body): Promise<Question> {
  const { organization_ids = listIds(role.organizations), location_ids = listIds(role.locations) } = body
  if (body.organization_ids === undefined && body.location_ids === undefined) return null
  const list = `/api/roles/${String(role.id)}/filters?per_page=${MOST_FILTERS}`
  const { results }: { results: readonly ApiRecord[] } = (await sendRequest(list)).body
  const following = results.filter((filter) => filter['override?'] !== true)
  if (following.length === 0) return null
  const places = { override: true, organization_ids, location_ids }
  return {
    remove_filters: following.map((filter) => filter.id),
    add_filters: following.map((filter) => ({ ...contentOf(filter), ...places })),
  }
}

function askAboutGroup(group: ApiRecord, body: Body): Question {
  const changes = (['roles', 'users', 'usergroups'] as const).flatMap((plural) => {
    const wanted = body[`${plural.replace(/s$/, '')}_ids`]
    if (!Array.isArray(wanted)) return []
    const [before, after] = [listIds(group[plural]), wanted.map(Number)]
    return [
      [`add_${plural}`, after.filter((one) => !before.includes(one))] as const,
      [`remove_${plural}`, before.filter((one) => !after.includes(one))] as const,
    ]
  })
  const real = changes.filter(([, ids]) => ids.length > 0)
  return real.length === 0 ? null : { usergroup: group.id, ...Object.fromEntries(real) }
}

function listIds(records: unknown): number[] {
  return Array.isArray(records) ? records.map((record) => Number(membersOf(record).id)) : []
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return { ...Object(value) }
}
