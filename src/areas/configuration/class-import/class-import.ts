import { boolean, defineResource, integer, link, text, timestamp } from '../../../kernel/index.ts'

const KEYS = [
  'id',
  'smart_proxy_id',
  'source',
  'user_id',
  'requested_by',
  'dryrun',
  'force',
  'status',
  'message',
  'environment_name',
  'environments',
  'environments_done',
  'environments_unchanged',
  'created_at',
  'updated_at',
  'finished_at',
]

/** The progress and the results of imports of config classes (smart-parameters §6). */
export const classImports = defineResource({
  name: 'class_import',
  summary: 'An import of config classes, with its source, progress and result.',
  fields: {
    smart_proxy: link('smart_proxy', {
      readOnly: true,
      onDelete: 'clear',
      doc: 'The smart proxy of the import; null for a folder or server, or after its deletion.',
    }),
    source: text({ readOnly: true, required: true, search: 'free', doc: 'Source of the import: a URL or a folder.' }),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who requested it.' }),
    requested_by: text({ readOnly: true, doc: 'Name of that user at the time of the request.' }),
    dryrun: boolean({
      readOnly: true,
      initial: false,
      search: 'explicit',
      doc: 'Whether the import only reports changes and stores nothing.',
    }),
    force: boolean({
      readOnly: true,
      initial: false,
      doc: 'Whether the import removed classes and parameters with values that people had set.',
    }),
    status: text({
      readOnly: true,
      required: true,
      oneOf: ['running', 'finished', 'failed'],
      search: 'free',
      doc: 'running, finished or failed.',
    }),
    message: text({ readOnly: true, search: 'explicit', doc: 'Description of the result.' }),
    environment_name: text({ readOnly: true, doc: 'The last processed environment of a running import.' }),
    environments: integer({ readOnly: true, required: true, doc: 'Number of environments to compare.' }),
    environments_done: integer({ readOnly: true, required: true, doc: 'Number of environments compared so far.' }),
    environments_unchanged: integer({
      readOnly: true,
      required: true,
      doc: 'Number of compared environments that were skipped because nothing in them had changed.',
    }),
    finished_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the end.' }),
  },
  operations: ['list', 'show'],
  visibility: { about: 'smart_proxy' },
  views: { list: KEYS, show: KEYS, order: 'id desc' },
  audited: false,
})
