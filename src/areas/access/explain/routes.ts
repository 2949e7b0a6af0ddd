import { z } from 'zod'
import type { Registry } from '../../../kernel/index.ts'
import type { Route } from '../../../requests/route.ts'
import { EXPLANATION, explainAccess } from './explain.ts'
import { compareAccess, DIFFERENCES, QUESTION } from './what-if.ts'

/** Routes that explain who may do what. About themselves everybody may ask; about others those who see all roles. */
export function accessRoutes(registry: Registry): Route[] {
  const common = { group: 'access', access: { kind: 'login' } } as const
  return [
    {
      ...common,
      method: 'GET',
      path: '/api/access/explain',
      id: 'access.explain',
      summary: 'Explain why a user may do something, or which filter and condition is nearest to it',
      query: z.object({
        user: z.string().optional().meta({ description: 'Login of the user. Default: the caller.' }),
        permission: z.string().meta({ description: 'Name of the permission, such as view_hosts.' }),
        id: z.string().optional().meta({ description: 'Id or name of the record; missing: any record.' }),
      }),
      answers: { 200: EXPLANATION },
      handle: (ctx, input) => explainAccess(ctx, registry, input),
    },
    {
      ...common,
      method: 'POST',
      path: '/api/access/what_if',
      id: 'access.what_if',
      notInBatch: true,
      summary: 'Show what a user would gain and lose by other roles and groups; nothing is stored',
      body: QUESTION,
      refuses: 422,
      answers: { 200: DIFFERENCES },
      handle: (ctx, input) => compareAccess(ctx, registry, input),
    },
  ]
}
