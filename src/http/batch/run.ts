import type { Context } from '../../context.ts'
import { withConflicts } from '../../database/failures.ts'
import { badParameter, Failure } from '../../errors.ts'
import type { Registry, Sent } from '../../kernel/index.ts'
import { isMembers } from '../../lib/values.ts'
import type { Input, Route } from '../../requests/route.ts'
import { readReason } from '../../requests/sent.ts'
import { requireAccess, withDenialEvents } from '../access/access.ts'
import { resolveScope } from '../pipeline.ts'
import type { BatchOperation, BatchOutcome } from './request.ts'
import { type Find, findRoute } from './routing.ts'

/**
 * Executes one operation in the steps of every request from the routing on (core-api §1.1). Adds its route to
 * `written`, by group. With `isTried` a missing permission is not logged. {@throws Failure} unroutable for an unknown
 * path, bad_parameter for a path that is not allowed in a batch, and all failures of a single request
 */
export async function run(
  tx: Context,
  { method, path, body }: BatchOperation,
  find: Find,
  registry: Registry,
  whole: Pick<Input, 'headers' | 'reading'>,
  written: Map<string, Route>,
  isTried = false,
): Promise<BatchOutcome> {
  const found = findRoute({ method, path }, find)
  if (!found) throw new Failure('unroutable', 'Not Found')
  const { route, params, url } = found
  if (route.notInBatch)
    throw badParameter(
      'path',
      path,
      'must be a request of its own: it is about a login, registers a host, or asks other machines',
    )
  const sent = isMembers(body) ? body : {}
  const own = queryOf(url.searchParams)
  const query = route.method === 'DELETE' ? { ...sent, ...own } : own
  const { scope } = await resolveScope(tx, registry, { ...sent, ...query, ...params }, tx.scope)
  const reason = readReason({ query }) ?? tx.origin.reason ?? null
  const ctx = { ...tx, scope, origin: { ...tx.origin, reason } }
  const handle = () => {
    requireAccess(ctx, route.access)
    written.set(route.group, route)
    return withConflicts(() => route.handle(ctx, { ...whole, params, query, body: sent }))
  }
  const answer = await (isTried ? handle() : withDenialEvents(ctx, route, handle))
  return answer.body === undefined ? { status: answer.status } : { status: answer.status, body: answer.body }
}

function queryOf(parameters: URLSearchParams): Sent {
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      if (values.some((value) => value.includes('\0')))
        throw badParameter(name, values, 'must not contain the NUL character')
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}
