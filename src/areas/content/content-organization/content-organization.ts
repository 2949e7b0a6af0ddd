import { defineResource, TAXONOMIES, text } from '../../../kernel/index.ts'
import { nestArounds } from '../../../records/around.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { overrideWrites } from '../../configuration/index.ts'
import { buildOrganizationContents, buildTreeFacts, buildTreeFields } from '../../places/index.ts'
import { contentLabel, validateKeptLabel } from '../shared/label.ts'
import { organizationReadable } from './readable.ts'
import { releases } from './releases.ts'
import { simpleContentAccess } from './simple-content-access.ts'
import { switchMode } from './switch.ts'
import { createOrganization, organizationWrites, updateOrganization } from './writes.ts'

const [ORGANIZATION] = TAXONOMIES
const facts = buildTreeFacts(ORGANIZATION, 'locations')
const KEYS = ['label', 'created_at', 'updated_at', 'id', 'name', 'title', 'description']

/** Organizations in their role for content (content-api §8.5): the records of core-api §11, with further keys. */
export const contentOrganizations = defineResource({
  name: 'content_organization',
  routes: { invalidates: 'identities', surface: 'content' },
  words: { word: 'organization', type: 'Organization' },
  permissions: { word: 'organizations' },
  summary: 'An organization as the owner of content.',
  fields: {
    ...buildTreeFields('organization'),
    label: contentLabel({ among: 'among all organizations' }),
    simple_content_access: simpleContentAccess(),
    service_level: blankAsNull(
      text({ doc: 'Service level of hosts that request none; one of its subscriptions must offer it.' }),
    ),
    cdn_url: blankAsNull(text({ max: 2048, doc: 'URL for downloads of vendor content.' })),
    ...buildOrganizationContents(),
  },
  ...facts,
  records: { ...facts.records, table: 'organizations' },
  operations: ['list', 'show', 'delete'],
  views: {
    ...facts.views,
    list: KEYS,
    show: [
      'label',
      'cdn_url',
      'system_purposes',
      'service_levels',
      'service_level',
      'simple_content_access',
      'owner_details',
      'default_content_view_id',
      'library_id',
      ...facts.views.show,
    ],
    deleted: [...KEYS, 'service_level'],
  },
  readable: { ...facts.readable, ...organizationReadable },
  rules: [...facts.rules, validateKeptLabel],
  around: nestArounds(organizationWrites, facts.around, overrideWrites('organization')),
  actions: [createOrganization, updateOrganization, releases, ...switchMode],
})
