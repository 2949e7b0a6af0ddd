import { z } from 'zod'
import { notFound } from '../../../errors.ts'
import type { Action } from '../../../kernel/index.ts'
import { loadDeferredAnswer } from '../deferred.ts'

/** `GET /api/tasks/:id/answer`: the answer to the deferred request of a task, for its requester only. */
export const answered: Action = {
  method: 'GET',
  path: '/:id/answer',
  name: 'answer',
  summary: 'Show what a request came to that was answered with this task',
  permissions: ['view_tasks'],
  own: true,
  record: { how: 'found' },
  output: z.object({
    status: z.int().nullable().meta({
      description:
        'The status that the request would have been answered with; null while that is not known, or never will be.',
    }),
    body: z.unknown().meta({
      description:
        'That answer. Of a batch that is not atomic, what came of its operations so far; null before there is any.',
    }),
  }),
  handle: async (ctx, resource, _input, { id }) => {
    const answer = await loadDeferredAnswer(ctx, id, ctx.user.id)
    if (!answer) throw notFound(resource.name, id)
    return { status: 200, body: answer }
  },
}
