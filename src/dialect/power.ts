import { z } from 'zod'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import type { Route } from '../kernel/route.ts'
import { idOf } from '../values.ts'

const PATH = '/api/hosts/:id/power'

/**
 * The power of a host, which clients of the dialect ask for and switch. Nothing here reaches management controllers or
 * hypervisors: every host answers like one of those servers' that has neither.
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
      ...{ method: 'GET', path: PATH, id: 'host_power.power_status', group: 'host_power', access },
      summary: 'Show the power state of a host',
      answers: { 200: z.object({ id: z.int(), state: z.string(), title: z.string(), statusText: z.string() }) },
      handle: async (ctx, input) => ({ status: 200, body: { id: await findId(ctx, input), ...NOT_KNOWN } }),
    },
    {
      ...{
        method: 'PUT',
        path: PATH,
        id: 'host_power.power',
        group: 'host_power',
        access: { ...access, anyOf: [SWITCHES, 'edit_hosts'] },
      },
      summary: 'Switch a host on or off',
      body: z.object({ power_action: z.string().meta({ description: 'What to do, e.g. start, stop, reset.' }) }),
      answers: { 200: null },
      handle: async (ctx, input) => {
        throw invalid({ base: [NOT_KNOWN.statusText] }, await findId(ctx, input))
      },
    },
  ]
}

const SWITCHES = 'power_hosts'

/** Whoever may do something with a host need not be allowed to view it. */
export function lendView(ctx: Context, permission: string): Context {
  const grants = ctx.user.grants.get(permission)
  if (!grants) return ctx
  return { ...ctx, user: { ...ctx.user, grants: new Map([...ctx.user.grants, ['view_hosts', grants]]) } }
}

const NOT_KNOWN = { state: 'na', title: 'N/A', statusText: 'Power operations are not enabled on this host.' } as const
