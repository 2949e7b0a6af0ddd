import { z } from 'zod'
import { boolean, type Field, type Link, link, type Sent, text } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { contentLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'
import { buildNestedRecordSchema } from '../shared/nested-records.ts'

const TAKEN = 'of environment must be unique within one organization'

/** The fields of lifecycle environments (content-api §8.2). */
export const environmentFields = {
  organization: organizationField(),
  name: contentName({ taken: TAKEN, doc: 'Unique in the organization. A change may call it new_name.' }),
  label: contentLabel({ taken: TAKEN, among: 'in the organization', unread: 'in changes' }),
  description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
  library: boolean({
    initial: false,
    readOnly: true,
    search: 'explicit',
    doc: 'Whether it is the first of the organization: every chain begins there.',
  }),
  prior: priorField(),
  registry_name_pattern: text({ doc: 'Pattern for the names of container images.' }),
  registry_unauthenticated_pull: boolean({
    initial: false,
    doc: 'Whether container images need no login.',
  }),
}

/** The fields above, by which drafts and rows are typed. */
export type EnvironmentFields = typeof environmentFields

const PRIOR = z
  .union([z.int(), buildNestedRecordSchema('id').loose()])
  .nullable()
  .meta({ description: 'An older word for prior_id: the id, or an object with it.' })

/**
 * The link to the environment before this one, as `prior_id`, or as `prior`: an object as answers show it, or an id
 * (content-api §8.2).
 */
function priorField(): Field<number | null> & Link {
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
