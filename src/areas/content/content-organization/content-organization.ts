import { z } from 'zod'
import { type Action, defineResource, type Field, TAXONOMIES, text } from '../../../kernel/index.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { nestWrappers } from '../../../records/nest-wrappers.ts'
import { NOT_BOOLEAN, toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { overrideWrites } from '../../configuration/index.ts'
import { buildOrganizationContents, buildTreeFacts, buildTreeFields } from '../../places/index.ts'
import { contentLabel, validateKeptLabel } from '../shared/label.ts'
import { loadReleasesIn, presentWords, selectLibrary, wordsEnvelope } from '../shared/releases.ts'
import type { AccessMode } from './access-mode.ts'
import { organizationReadable } from './readable.ts'
import { switchMode } from './switch.ts'
import { createOrganization, organizationWrites, updateOrganization } from './writes.ts'

const DOC = 'Whether hosts get all content of their environment regardless of subscriptions; true by default.'

/** Lists the releases that keys and hosts of an organization can be set to (content-api §2.8, §8.5). */
const releases: Action = {
  method: 'GET',
  path: '/:id/releases',
  name: 'releases',
  summary: 'List the releases of the content of an organization',
  permissions: ['view_organizations'],
  output: wordsEnvelope,
  record: { how: 'found' },
  handle: async (ctx, _organizations, _input, { id }) => ({
    status: 200,
    body: presentWords(await loadReleasesIn(ctx, [selectLibrary(id)])),
  }),
}

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
  wrapWrite: nestWrappers(organizationWrites, facts.wrapWrite, overrideWrites('organization')),
  actions: [createOrganization, updateOrganization, releases, ...switchMode],
})

/** The field that shows and sets the access mode as a boolean (content-api §8.5). */
function simpleContentAccess(): Field<AccessMode> {
  return {
    kind: 'access mode',
    doc: DOC,
    writable: ({ name }) => ({
      [name]: { schema: () => z.boolean({ error: NOT_BOOLEAN }).meta({ description: DOC }), coerce: toBoolean },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.boolean().meta({ description: DOC }),
        sql: (alias) => sql`(${sql.ref(`${alias}.content_access_mode`)} = 'org_environment')`,
      },
    }),
    search: ({ name }) => [
      {
        name,
        type: 'choice',
        column: 'content_access_mode',
        values: { true: 'org_environment', false: 'entitlement' },
        explicit: true,
      },
    ],
    column: () => ({ name: 'content_access_mode', type: 'text', nullable: false }),
    read: async (_ctx, { name }, sent) =>
      sent[name] === undefined ? undefined : sent[name] ? 'org_environment' : 'entitlement',
  }
}
