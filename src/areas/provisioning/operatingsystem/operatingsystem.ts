import { defineResource } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { HIDDEN_QUERY, ownParamSearch, presentParameters } from '../../parameters/index.ts'
import { bootfiles } from './bootfiles.ts'
import { operatingsystemFields } from './fields.ts'
import { operatingsystemWrites } from './version.ts'

const KEYS = [
  'description',
  'major',
  'minor',
  'family',
  'release_name',
  'password_hash',
  'created_at',
  'updated_at',
  'id',
  'name',
  'title',
]

/** Operating systems (core-api §11). */
export const operatingsystems = defineResource({
  name: 'operatingsystem',
  summary: 'An operating system that hosts are provisioned with.',
  fields: operatingsystemFields,
  label: 'title',
  search: [
    ownParamSearch('operatingsystem'),
    searchByLinked('template', {
      through: 'template_operatingsystems',
      own: 'operatingsystem_id',
      other: 'template_id',
      table: 'templates',
      resource: 'provisioning_template',
    }),
  ],
  views: {
    query: HIDDEN_QUERY,
    list: KEYS,
    show: [
      ...KEYS,
      'media',
      'architectures',
      'ptables',
      'provisioning_templates',
      'os_default_templates',
      'images',
      'parameters',
    ],
    shown: presentParameters,
  },
  routes: {
    parents: {
      architecture: 'architectures',
      medium: 'media',
      ptable: 'ptables',
      provisioning_template: 'provisioning_templates',
    },
  },
  rules: [
    // One whose family was deduced may lack the name, and keeps lacking it until somebody says either.
    ({ family, release_name }, _draft, _ctx, stored) =>
      family === 'Debian' && !release_name && (stored?.family !== family || stored.release_name)
        ? { release_name: ["can't be blank"] }
        : undefined,
  ],
  around: operatingsystemWrites,
  actions: [bootfiles],
})
