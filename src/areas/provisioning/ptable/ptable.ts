import { boolean, defineResource, link, links, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'
import { OS_FAMILIES } from '../operatingsystem/families.ts'
import { auditComment } from '../provisioning-template/audit-comment.ts'
import { clone } from '../provisioning-template/clone.ts'
import { exportText } from '../provisioning-template/export.ts'
import { importText } from '../provisioning-template/import.ts'
import { revision } from '../provisioning-template/revision.ts'
import { source } from '../provisioning-template/source.ts'
import { NO_VENDOR } from '../provisioning-template/vendor-search.ts'
import { lockedWrites } from './locking.ts'
import { takers } from './takers.ts'

const KEYS = ['description', 'os_family', 'created_at', 'updated_at', 'name', 'id']

const NAME = 'ptable'

/** Partition tables (core-api §11). A locked one cannot be changed until it is unlocked. */
export const ptables = defineResource({
  name: NAME,
  summary: 'A partition table: how an installer lays out disks.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    description: text({ max: 65_535, doc: 'Optional note.' }),
    layout: source({ max: 200_000, search: 'free', doc: 'A template in the language of the installer.' }),
    snippet: boolean({ initial: false, search: 'explicit', doc: 'A part of other partition tables.' }),
    locked: boolean({ initial: false, search: 'explicit', doc: 'Cannot be changed or deleted.' }),
    os_family: text({ oneOf: OS_FAMILIES, doc: 'Only for this family.' }),
    operatingsystems: links('operatingsystem', {
      through: 'operatingsystem_ptables',
      show: ['id', 'name', 'title'],
      doc: 'Purpose.',
    }),
    hosts: takers('host', 'Hosts that use it.'),
    hostgroups: takers('hostgroup', 'Host groups that use it.'),
    cloned_from: link(NAME, { readOnly: true, onDelete: 'clear', doc: 'The partition table it is a copy of.' }),
    audit_comment: auditComment('Comment on the change, for its audit.'),
    ...buildTaxonomyFields('ptable'),
  },
  label: 'name',
  views: {
    list: KEYS,
    show: [...KEYS, 'layout', 'snippet', 'locked', 'cloned_from_id', 'operatingsystems', 'locations', 'organizations'],
  },
  permissions: { further: ['lock_ptables'] },
  search: [
    { name: 'family', type: 'text', column: 'os_family', nullable: true },
    { name: 'template', type: 'text', column: 'layout', explicit: true },
    NO_VENDOR,
    // No partition table here is marked so.
    {
      name: 'default',
      type: 'boolean',
      column: 'default',
      expression: (alias) => sql`(${sql.ref(`${alias}.id`)} is null)`,
      explicit: true,
      noCompletion: true,
    },
  ],
  visibility: { taxable: true },
  routes: { parents: { operatingsystem: 'operatingsystems' } },
  rules: [({ snippet, os_family }) => (snippet && os_family ? { os_family: ['must be blank'] } : undefined)],
  wrapWrite: lockedWrites('lock_ptables', ['name', 'description', 'layout', 'snippet', 'os_family']),
  actions: [clone(NAME), exportText(NAME), importText(NAME), revision(NAME)],
})
