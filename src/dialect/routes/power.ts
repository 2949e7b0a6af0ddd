import { z } from 'zod'
import { type Actor, type Context, withUser } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { idOf } from '../../lib/values.ts'
import type { Route } from '../../requests/route.ts'

const PATH = '/api/hosts/:id/power'

/**
 * Routes for the power of a host, which clients query and switch. This service reaches no management controllers and
 * hypervisors, so that every host answers like one of the existing servers' that has neither.
 */
export function powerRoutes(routes: readonly Route[]): Route[] {
  const show = routes.find(({ id }) => id === 'hosts.show')
  if (!show) return []
  const access: Route['access'] = { kind: 'permission', anyOf: [SWITCHES, 'view_hosts'], own: false }
  const findId = async (...[ctx, { params }]: Parameters<Route['handle']>) => {
    const { body } = await show.handle(lendView(ctx, SWITCHES), { params, query: {}, body: {} })
    return idOf(body)
  }
  return [
    {
      method: 'GET',
      path: PATH,
      id: 'host_power.power_status',
      group: 'host_power',
      access,
      summary: 'Show the power state of a host',
      answers: { 200: z.object({ id: z.int(), state: z.string(), title: z.string(), statusText: z.string() }) },
      handle: async (ctx, input) => ({ status: 200, body: { id: await findId(ctx, input), ...NOT_KNOWN } }),
    },
    {
      method: 'PUT',
      path: PATH,
      id: 'host_power.power',
      group: 'host_power',
      access: { ...access, anyOf: [SWITCHES, 'edit_hosts'] },
      summary: 'Switch a host on or off',
      body: z.object({ power_action: z.string().meta({ description: 'Action to perform, e.g. start, stop, reset.' }) }),
      answers: { 200: null },
      handle: async (ctx, input) => {
        throw invalid({ base: [NOT_KNOWN.statusText] }, await findId(ctx, input))
      },
    },
  ]
}

const SWITCHES = 'power_hosts'

/** Yields a context that may view hosts: those who may act on a host need not have the permission to view it. */
export function lendView(ctx: Context, permission: string): Context {
  const lend = (user: Actor): Actor => {
    const grants = user.grants.get(permission)
    return grants ? { ...user, grants: new Map([...user.grants, ['view_hosts', grants]]) } : user
  }
  return withUser(ctx, lend)
}

/** The refusal of those servers for a host without power management. */
export const NO_POWER = 'Power operations are not enabled on this host.'
const NOT_KNOWN = { state: 'na', title: 'N/A', statusText: NO_POWER } as const
