import { z } from 'zod'
import type { Registry } from '../../../kernel/index.ts'
import type { Route } from '../../../requests/route.ts'
import { COMPARISON, compareRoles } from './compare.ts'
import { EXPLANATION, explainAccess } from './explain.ts'
import { QUESTION } from './question.ts'
import { answerUnused, UNUSED } from './unused.ts'
import { compareAccess, WHAT_IF } from './what-if.ts'

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
      summary:
        'Show what a user or everybody would gain and lose by a change of roles, filters and groups; nothing is stored',
      body: QUESTION,
      refuses: 422,
      answers: { 200: WHAT_IF },
      handle: (ctx, input) => compareAccess(ctx, registry, input),
    },
    {
      ...common,
      method: 'GET',
      path: '/api/access/compare',
      id: 'access.compare',
      summary: 'Compare two roles: permissions of one only, of both, and those with different conditions',
      query: z.object({
        roles: z.string().meta({ description: 'Two roles, by id or name, with a comma between.' }),
      }),
      answers: { 200: COMPARISON },
      handle: (ctx, input) => compareRoles(ctx, input),
    },
    {
      ...common,
      method: 'GET',
      path: '/api/access/unused',
      id: 'access.unused',
      summary:
        'List permissions to change records that a user or the holders of a role did not use for some days, by audits',
      query: z.object({
        user: z.string().optional().meta({ description: 'Login of the user. Default: the caller.' }),
        role: z.string().optional().meta({ description: 'A role, by id or name, instead of a user.' }),
        days: z.string().optional().meta({ description: 'Number of days, at most 3650. Default: 90.' }),
      }),
      answers: { 200: UNUSED },
      handle: (ctx, input) => answerUnused(ctx, registry, input),
    },
  ]
}
