import { boolean, text } from '../../../kernel/index.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { contentLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'
import { componentVersions } from './components.ts'
import { repositoriesOfView } from './parts.ts'

/** The fields of content views (content-api §8.3). */
export const contentViewFields = {
  organization: organizationField(),
  name: contentName({ doc: 'Unique in the organization.' }),
  label: contentLabel({ among: 'in the organization' }),
  description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
  composite: boolean({
    initial: false,
    search: 'explicit',
    doc: 'Whether it consists of versions of other views instead of repositories. Never changes.',
  }),
  default: boolean({
    initial: false,
    readOnly: true,
    search: 'explicit',
    doc: 'Whether it is the view that every organization has: all repositories in the Library.',
  }),
  auto_publish: boolean({
    initial: false,
    doc: 'Whether publishing a component with the latest version also publishes the composite view.',
  }),
  solve_dependencies: boolean({ initial: false, doc: 'Whether dependencies are to be added on publishing.' }),
  import_only: boolean({ initial: false, doc: 'Whether its versions only come from elsewhere.' }),
  generated_for: text({
    readOnly: true,
    required: true,
    search: 'explicit',
    doc: 'Purpose for which the service generated the view; `none` for views that users created.',
  }),
  repositories: repositoriesOfView('Repositories that its next version gets.'),
  components: componentVersions(),
}

/** The fields above, by which drafts and rows are typed. */
export type ContentViewFields = typeof contentViewFields
