import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { asksForHidden, HIDDEN_QUERY } from '../../access/index.ts'
import { explainParameters, loadExplainedHost } from '../explanation/host-explanation.ts'
import { EXPLANATION } from '../explanation/schemas.ts'
import { loadExplanationViewer } from '../node/viewer.ts'

/** Explains all parameters of a host (docs/classification.md). */
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
      environment: z.string().nullable().meta({ description: 'Environment of the host.' }),
      classes: z.array(z.string()).meta({ description: 'All classes that it has there.' }),
      failures: z.array(z.string()).meta({
        description:
          'Errors in its own parameters, which prevent its classification in addition to the failures below.',
      }),
      parameters: z.array(EXPLANATION).meta({ description: 'Parameters that the caller may see, by class and name.' }),
    })
    .meta({ title: 'HostExplanation', description: 'Explanation of the classification of a host.' }),
  record: { how: 'found', keys: ['id', 'name', 'environment_name'] },
  handle: explain,
}

async function explain(ctx: Context, resource: Resource, input: Input, record: Stored): Promise<Answer> {
  const { id, name, environment_name } = record
  const viewer = await loadExplanationViewer(ctx, resource, id, asksForHidden(input.query))
  const host = await loadExplainedHost(ctx, resource.registry, id, viewer)
  if (!host) throw notFound(resource.name, id)
  const { inputs, catalog } = host.prepared
  return {
    status: 200,
    body: {
      host: { id, name },
      environment: environment_name,
      classes: inputs.classes.flatMap((one) => catalog.classNames.get(one) ?? []).sort(),
      failures: host.subject.failures,
      parameters: await explainParameters(ctx, resource.registry, host, input.query),
    },
  }
}
