import { z } from 'zod'
import { type Context, hasPermission, withRollback } from '../../../context.ts'
import { denied } from '../../../errors.ts'
import type { Action, Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { EXPLANATION } from '../explanation/schemas.ts'
import { supposeHost } from '../explanation/supposed.ts'
import { presentSupposedHost } from '../explanation/supposed-document.ts'
import { loadAllInvisibleOverrides } from '../override-value/guard.ts'
import { VIEW } from '../smart-class-parameter/scope.ts'

const attribute = z.json().meta({ description: 'Its id or name, as the key says.' })

/** Answers what a supposed host would get: a new one, or an existing one with changes (docs/classification.md). */
export const whatIf: Action = {
  method: 'POST',
  path: '/what_if',
  name: 'what_if',
  summary: 'Explain what a supposed host would get; nothing is stored',
  permissions: ['view_hosts'],
  query: HIDDEN_QUERY,
  body: z.object({
    name: z
      .string()
      .optional()
      .meta({ description: 'Name of the host; that of a known one supposes changes of that.' }),
    attributes: z.record(z.string(), attribute).optional().meta({
      description: 'As for hosts, e.g. hostgroup_id, or what orders call them: hostgroup, os, domain, by name.',
    }),
    facts: z.record(z.string(), z.json()).optional().meta({ description: 'Facts as agents upload them.' }),
    parameters: z
      .record(z.string(), z.json())
      .optional()
      .meta({ description: 'Parameters of its own, without templates.' }),
  }),
  output: z
    .object({
      document: z
        .object({
          parameters: z
            .record(z.string(), z.json())
            .meta({ description: 'Parameters that the host would get, by name.' }),
          classes: z
            .union([z.record(z.string(), z.record(z.string(), z.json()).nullable()), z.array(z.string())])
            .meta({ description: 'Values by class; a list of names where the settings say so.' }),
          environment: z.string().optional().meta({ description: 'Environment that the host would have.' }),
        })
        .nullable()
        .meta({ description: 'Its document; null when it would be refused.' }),
      failures: z.array(z.string()).meta({ description: 'Reasons why the host would be refused.' }),
      parameters: z.array(EXPLANATION).meta({ description: 'Explanation of each value, by class and name.' }),
    })
    .meta({ title: 'WhatIf', description: 'Classification that a hypothetical host would get.' }),
  refuses: 422,
  handle: suppose,
}

async function suppose(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  if (!hasPermission(ctx, VIEW)) throw denied([VIEW])
  const body = await withRollback(ctx, async (tx) => {
    const unseen = await loadAllInvisibleOverrides(tx, resource.registry)
    return presentSupposedHost(tx, resource, await supposeHost(tx, resource, input.body), input.query, unseen)
  })
  return { status: 200, body }
}
