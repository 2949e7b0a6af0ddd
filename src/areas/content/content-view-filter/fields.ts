import { boolean, link, text } from '../../../kernel/index.ts'
import { contentName } from '../shared/naming.ts'
import { repositoriesOfFilter } from './repositories.ts'
import { FILTER_TYPES } from './types.ts'

/** The fields of filters of content views (content-api §8.3). */
export const filterFields = {
  content_view: link('content_view', {
    required: true,
    onDelete: 'cascade',
    search: true,
    show: ['id', 'name', 'label'],
    doc: 'The content view; never changes.',
  }),
  name: contentName({ taken: 'has already been taken', doc: 'Unique in its view.' }),
  type: text({
    required: true,
    oneOf: FILTER_TYPES,
    search: 'explicit',
    doc: `Content type that it filters: ${FILTER_TYPES.join(', ')}. Never changes.`,
  }),
  description: text({ max: 65_535, search: 'explicit', doc: 'Optional note.' }),
  inclusion: boolean({
    initial: false,
    search: 'explicit',
    doc: 'True: the view contains only content that matches the rules; false: it excludes that content.',
  }),
  original_packages: boolean({ initial: false, doc: 'Packages without an erratum count as named (type rpm).' }),
  original_module_streams: boolean({
    initial: false,
    doc: 'Module streams without an erratum count as named (type modulemd).',
  }),
  repositories: repositoriesOfFilter('Repositories of the view that it is about; none: all of them.'),
}

/** The fields above, by which drafts and rows are typed. */
export type FilterFields = typeof filterFields
