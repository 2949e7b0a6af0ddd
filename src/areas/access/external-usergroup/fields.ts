import { link, text } from '../../../kernel/index.ts'

/** The fields of links to groups of sources. */
export const externalUsergroupFields = {
  name: text({ required: true, search: 'free', doc: 'Name of the group in the source, unique there.' }),
  auth_source: link('auth_source', {
    required: true,
    onDelete: 'cascade',
    show: ['id', 'type', 'name'],
    doc: 'Id of the authentication source.',
  }),
  usergroup: link('usergroup', { required: true, onDelete: 'cascade', doc: 'The user group here.' }),
}

/** The fields above, by which drafts and rows are typed. */
export type ExternalUsergroupFields = typeof externalUsergroupFields
