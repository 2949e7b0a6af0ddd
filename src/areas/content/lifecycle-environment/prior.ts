import { z } from 'zod'
import { type Field, type Link, link, type Sent } from '../../../kernel/index.ts'
import { isMembers } from '../../../values.ts'
import { buildNestedRecordSchema } from '../shared/nested-records.ts'

const PRIOR = z
  .union([z.int(), buildNestedRecordSchema('id').loose()])
  .nullable()
  .meta({ description: 'An older word for prior_id: the id, or an object with it.' })

/**
 * The link to the environment before this one, as `prior_id`, or as `prior`: an object as answers show it, or an id
 * (content-api §8.2).
 */
export function priorField(): Field<number | null> & Link {
  const field = link('lifecycle_environment', {
    onDelete: 'around',
    show: ['name', 'id'],
    doc: 'The previous environment. Its successors become successors of this one, except after the Library.',
  })
  return {
    ...field,
    writable: (at) => ({ ...field.writable(at), prior: { schema: () => PRIOR } }),
    read: async (ctx, at, sent, later) => field.read?.(ctx, at, normalizePrior(sent), later),
  }
}

function normalizePrior({ prior, ...sent }: Sent): Sent {
  if (prior === undefined || sent.prior_id !== undefined || sent.prior_name !== undefined) return sent
  // The schema allows an id, an object with one, or null.
  const id = isMembers(prior) ? prior.id : prior
  return { ...sent, prior_id: id }
}
