import { boolean, defineResource, link, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { UNSUPPORTED_IN_REPORTS } from '../../../words/template-names.ts'
import { auditComment } from '../provisioning-template/audit-comment.ts'
import { clone } from '../provisioning-template/clone.ts'
import { exportText } from '../provisioning-template/export.ts'
import { importText } from '../provisioning-template/import.ts'
import { revision } from '../provisioning-template/revision.ts'
import { MAX_TEMPLATE, source } from '../provisioning-template/source.ts'
import { lockedWrites } from '../ptable/locking.ts'
import { generate, reportData, scheduleReport } from './generate.ts'

const KEYS = ['snippet', 'description', 'created_at', 'updated_at', 'name', 'id']

const NAME = 'report_template'

/** Templates of reports (newer-clients §2g). A locked one cannot be changed until it is unlocked. */
export const reportTemplates = defineResource({
  name: NAME,
  summary: 'A template of reports about many records.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name, by which templates include snippets.' }),
    template: source({
      max: MAX_TEMPLATE,
      search: 'free',
      refused: UNSUPPORTED_IN_REPORTS,
      doc: 'The text, with tags; a comment at its head says which inputs it takes.',
    }),
    description: text({ max: 65_535, doc: 'Optional note.' }),
    snippet: boolean({ initial: false, search: 'explicit', doc: 'Whether it is a part of other templates only.' }),
    locked: boolean({ initial: false, search: 'explicit', doc: 'Whether changes and deletion are blocked.' }),
    default: boolean({
      initial: false,
      readOnly: true,
      search: 'explicit',
      doc: 'Whether it came with the program; as a snippet it is there for all templates.',
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
  permissions: { further: ['generate_report_templates', 'lock_report_templates'] },
  visibility: { taxable: true },
  wrapWrite: lockedWrites('lock_report_templates', ['name', 'template', 'description', 'snippet']),
  actions: [clone(NAME), exportText(NAME), importText(NAME), revision(NAME), generate, scheduleReport, reportData],
})
