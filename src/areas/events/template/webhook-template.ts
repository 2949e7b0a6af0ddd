import { boolean, defineResource, link, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import {
  auditComment,
  clone,
  exportText,
  importText,
  lockedWrites,
  MAX_TEMPLATE,
  revision,
  source,
} from '../../provisioning/index.ts'

const KEYS = ['snippet', 'description', 'created_at', 'updated_at', 'name', 'id']

const NAME = 'webhook_template'

/** Templates of messages to webhooks (events 2a.1). A locked one cannot be changed until it is unlocked. */
export const webhookTemplates = defineResource({
  name: NAME,
  summary: 'A template of messages to webhooks.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name, by which templates include snippets.' }),
    template: source({
      max: MAX_TEMPLATE,
      search: 'free',
      refused: {},
      doc: 'The text, with tags that read @event_name, @object, @context, @payload and @webhook_id.',
    }),
    description: text({ max: 65_535, doc: 'Optional note.' }),
    snippet: boolean({ initial: false, search: 'explicit', doc: 'Whether it is a part of other templates only.' }),
    locked: boolean({ initial: false, search: 'explicit', doc: 'Whether changes and deletion are blocked.' }),
    default: boolean({
      initial: false,
      readOnly: true,
      search: 'explicit',
      doc: 'Whether it came with the program.',
    }),
    cloned_from: link(NAME, { readOnly: true, onDelete: 'clear', doc: 'The template it is a copy of.' }),
    audit_comment: auditComment('Comment on the change, for its audit.'),
    ...buildTaxonomyFields(NAME),
  },
  label: 'name',
  views: {
    list: KEYS,
    show: ['template', 'locked', 'default', 'cloned_from_id', ...KEYS, 'locations', 'organizations'],
  },
  permissions: { further: ['lock_webhook_templates'] },
  visibility: { taxable: true },
  wrapWrite: lockedWrites('lock_webhook_templates', ['name', 'template', 'description', 'snippet']),
  actions: [clone(NAME), exportText(NAME), importText(NAME), revision(NAME)],
})
