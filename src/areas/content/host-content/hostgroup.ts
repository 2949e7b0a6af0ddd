import { link } from '../../../kernel/fields/index.ts'

/** What content adds to a host group: what clients tell of it beside what it hands down. */
export const hostgroupContent = {
  fields: {
    content_source: link('smart_proxy', {
      onDelete: 'clear',
      doc: 'A smart proxy that is noted as where its hosts get content from. They get it from this service.',
    }),
  },
  keys: ['content_source_id', 'content_source_name'],
} as const
