import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  compileRequestSearch,
  joinConditions,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  removeStored,
  resolveParents,
  type Sent,
} from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { readChoice } from '../../../records/choice.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { NOT_STORABLE, readSingle, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/** The most hosts that one request may delete, because it does so in one transaction. */
const MOST_HOSTS = 10_000

const IDS = z.array(z.int())

/**
 * `DELETE /api/hosts/bulk`: deletes the hosts with these ids or those that a search finds, each with its audit, if the
 * caller may delete them; all or none (docs/contract.md).
 */
export const deleteFound: Action = {
  method: 'DELETE',
  path: '/bulk',
  name: 'delete_found',
  summary: 'Delete the hosts that a search finds',
  permissions: ['destroy_hosts'],
  refuses: 422,
  query: {
    search: z.string().optional().meta({ description: 'Finds the hosts; the same as `search` in `included`.' }),
    included: z
      .object({
        search: z.string().optional().meta({ description: 'Finds hosts, beside those with the ids.' }),
        ids: IDS.optional().meta({ description: 'Ids of hosts.' }),
      })
      .optional()
      .meta({ description: 'The hosts that are deleted.' }),
    excluded: z
      .object({ ids: IDS.optional().meta({ description: 'Ids of hosts.' }) })
      .optional()
      .meta({ description: 'Hosts that stay, whatever finds them.' }),
    all: z
      .boolean()
      .optional()
      .meta({ description: 'True: every host that the caller may delete. Without it a search or ids are needed.' }),
  },
  output: z.object({ message: z.string().meta({ description: 'Number of deleted hosts.' }) }),
  handle: deleteChosen,
}

/** The hosts that a request is about. */
interface Chosen {
  /** Null without ids: every host. */
  readonly search: string | null
  readonly ids: readonly number[]
  readonly excluded: readonly number[]
}

async function deleteChosen(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const chosen = readChosen(input.query)
  const { conditions } = await resolveParents(ctx, resource, input)
  return inTransaction(ctx, async (tx) => {
    const ids = await lockChosen(tx, resource, chosen, conditions)
    if (ids.length > MOST_HOSTS)
      throw invalid({ base: [`At most ${MOST_HOSTS} hosts can be deleted at once: narrow the search`] })
    for (const id of ids) await removeStored(tx, resource, await lock(tx, resource, id))
    return { status: 200, body: { message: `Deleted ${ids.length} ${ids.length === 1 ? 'host' : 'hosts'}` } }
  })
}

/**
 * Locks the chosen hosts that the caller may delete, in order of their ids; hosts that are gone by then are left out.
 */
async function lockChosen(
  tx: Context,
  resource: Resource,
  { search, ids, excluded }: Chosen,
  conditions: readonly Condition[],
): Promise<readonly number[]> {
  const base = [...limitToVisible(tx, resource, permissionOf(resource, 'destroy')), ...conditions]
  const found: readonly Sql[] = [
    ...(ids.length > 0 ? [sql`t.id = any (${ids}::bigint[])`] : []),
    ...(search === null ? [] : [joinConditions(await compileRequestSearch(tx, resource, search))]),
    ...(search === null && ids.length === 0 ? [sql`true`] : []),
  ]
  const locked = await rows<{ id: number }>(
    tx.db,
    sql`select t.id from ${sql.table(resource.table)} t
      where ${joinConditions(base)} and (${sql.join(found, sql` or `)}) and not t.id = any (${excluded}::bigint[])
      order by t.id limit ${MOST_HOSTS + 1} for no key update of t`,
  )
  return locked.map(({ id }) => id)
}

/** Reads which hosts a request is about. {@throws Failure} bad_parameter when it does not say; bad_search */
function readChosen(query: Sent): Chosen {
  const included = membersOf(query, 'included')
  const search = readSingle({ search: included.search ?? query.search }, 'search')
  const ids = readIds(included, 'included')
  if (!isValidText(search)) throw badParameter('search', search, NOT_STORABLE)
  const choice = readChoice({ search, named: ids.length > 0, all: query.all })
  return { search: choice, ids, excluded: readIds(membersOf(query, 'excluded'), 'excluded') }
}

/** The object under a name, from JSON or from keys of a URL such as `included[search]`. */
function membersOf(query: Sent, name: string): Sent {
  const sent = query[name] ?? null
  if (typeof sent !== 'object' || Array.isArray(sent)) throw badParameter(name, sent, 'must be an object')
  const search = query[`${name}[search]`]
  const ids = query[`${name}[ids][]`] ?? query[`${name}[ids]`]
  return { ...(search !== undefined && { search }), ...(ids !== undefined && { ids }), ...sent }
}

function readIds({ ids = null }: Sent, name: string): readonly number[] {
  if (ids === null) return []
  const numbers = [ids].flat().map(toInteger)
  const isIds = (list: readonly unknown[]): list is readonly number[] => list.every(Number.isSafeInteger)
  if (!isIds(numbers)) throw badParameter(`${name}[ids]`, ids, 'must be a list of ids of hosts')
  return numbers
}
