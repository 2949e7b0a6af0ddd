import { z } from 'zod'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { explainAll, hostToExplain } from '../explanation/of-host.ts'
import { EXPLANATION } from '../explanation/schemas.ts'
import { viewerOf } from '../node/viewer.ts'
import { HIDDEN_QUERY } from '../smart-class-parameter/query.ts'

/** Why a host gets what it gets, for all of its parameters (docs/classification.md). */
export const classification: Action = {
  method: 'GET',
  path: '/:id/classification',
  name: 'classification',
  summary: 'Explain what a host gets for all smart class parameters of its classes',
  permissions: ['view_hosts'],
  query: HIDDEN_QUERY,
  output: z
    .object({
      host: z
        .object({ id: z.int().meta({ description: 'Its id.' }), name: z.string().meta({ description: 'Its name.' }) })
        .meta({ description: 'The host.' }),
      environment: z.string().nullable().meta({ description: 'Its environment.' }),
      classes: z.array(z.string()).meta({ description: 'All classes that it has there.' }),
      failures: z.array(z.string()).meta({
        description: 'What is wrong with its own parameters: why its classification is refused beside failures below.',
      }),
      parameters: z.array(EXPLANATION).meta({ description: 'Those that the caller may see, by class and name.' }),
    })
    .meta({ title: 'HostExplanation', description: 'Why a host gets what it gets.' }),
  handle: explain,
}

async function explain(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const permission = permissionFor(resource, 'view')
  const { conditions } = await within(ctx, resource, input)
  const seen = [...visible(ctx, resource, permission), ...conditions]
  const record = await selectRecord(ctx.db, resource, ['id', 'name', 'environment_name'], segment, seen)
  if (!record) throw notVisible(ctx, resource, permission, segment)
  const id = Number(record.id)
  const host = await hostToExplain(ctx, id, await viewerOf(ctx, resource, id))
  if (!host) throw notFound(resource.name, segment)
  const { inputs, catalog } = host.prepared
  return {
    status: 200,
    body: {
      host: { id, name: record.name },
      environment: record.environment_name,
      classes: inputs.classes.flatMap((one) => catalog.classNames.get(one) ?? []).sort(),
      failures: host.subject.failures,
      parameters: await explainAll(ctx, resource.registry, host, input.query),
    },
  }
}
