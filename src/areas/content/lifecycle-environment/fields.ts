import { boolean, text } from '../../../kernel/index.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { contentLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'
import { priorField } from './prior.ts'

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
