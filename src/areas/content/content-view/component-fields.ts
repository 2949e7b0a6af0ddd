import { boolean, link } from '../../../kernel/index.ts'

const version = link('content_view_version', { onDelete: 'around', doc: 'The chosen version.' })

/**
 * The link to the chosen version. A missing version is refused like one of another view, so that the message does not tell
 * which of the two it is.
 */
const chosenVersion: typeof version = {
  ...version,
  read: async (ctx, at, sent) => version.read?.(ctx, at, sent, []),
}

/** The fields of components of composite views (content-api §8.3). */
export const componentFields = {
  composite_content_view: link('content_view', {
    required: true,
    readOnly: true,
    onDelete: 'cascade',
    doc: 'The composite view.',
  }),
  content_view: link('content_view', {
    required: true,
    readOnly: true,
    onDelete: 'around',
    search: true,
    doc: 'The content view.',
  }),
  content_view_version: chosenVersion,
  latest: boolean({
    initial: false,
    search: 'explicit',
    doc: 'Whether it always stands for the latest version of its view.',
  }),
}

/** The fields above, by which drafts and rows are typed. */
export type ComponentFields = typeof componentFields
