import { defineResource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { filteredList, readTruth } from '../shared/filtered.ts'
import { validateNewLabel } from '../shared/label.ts'
import { lifecycleEnvironmentWrites, validateLifecyclePosition } from './chain.ts'
import { environmentFields } from './fields.ts'
import { LIFECYCLE_ENVIRONMENT_PERMISSIONS, presentLifecycleEnvironments, readable } from './keys.ts'
import { paths } from './paths.ts'

const KEYS = [
  'library',
  'registry_name_pattern',
  'registry_unauthenticated_pull',
  'id',
  'name',
  'label',
  'description',
  'organization_id',
  'organization',
  'created_at',
  'updated_at',
  'prior',
  'successor',
  'counts',
  'permissions',
  'content_views',
]

/**
 * Lifecycle environments (content-api §8.2): paths for content, which all begin with the Library of an organization.
 */
export const lifecycleEnvironments = defineResource({
  name: 'lifecycle_environment',
  words: { word: 'environment' },
  routes: { surface: 'content' },
  summary: 'A stage of content, such as development or production, with one version of each of its views.',
  fields: environmentFields,
  operations: ['show', 'create', 'update', 'delete'],
  label: 'name',
  visibility: { taxable: 'organization' },
  views: {
    list: KEYS,
    show: KEYS,
    deleted: KEYS.filter((key) => key !== 'permissions'),
    transform: presentLifecycleEnvironments,
  },
  readable,
  search: [{ name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true }],
  permissions: { further: Object.values(LIFECYCLE_ENVIRONMENT_PERMISSIONS) },
  wire: { suggests: true, aliases: { new_name: 'name' } },
  rules: [validateNewLabel, validateLifecyclePosition],
  wrapWrite: lifecycleEnvironmentWrites,
  actions: [
    filteredList('lifecycle environments', LIFECYCLE_ENVIRONMENT_PERMISSIONS.view_lifecycle_environments, {
      name: {
        doc: 'Only the one with exactly this name.',
        where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
      },
      library: {
        doc: 'True: only the Library; false: all others.',
        where: (value, alias) => sql`${sql.ref(`${alias}.library`)} = ${readTruth('library', value)}`,
      },
    }),
    paths,
  ],
})
