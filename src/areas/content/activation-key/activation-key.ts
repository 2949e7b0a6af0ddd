import {
  boolean,
  defineResource,
  integer,
  link,
  links,
  remove,
  text,
  timestamp,
  update,
} from '../../../kernel/index.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { comparable } from '../shared/moment.ts'
import { contentName } from '../shared/naming.ts'
import { answerQuietly } from '../shared/quietly.ts'
import { visibleLink, withObjectForm } from '../shared/visible-link.ts'
import { addons } from './addons.ts'
import { contentOverride, contentOverrides } from './content-override.ts'
import { copy } from './copy.ts'
import { createKey } from './create.ts'
import { drift } from './drift.ts'
import { environmentKeys, environmentList, inSomePair } from './environments.ts'
import { addHostCollections, availableHostCollections, removeHostCollections } from './host-collections.ts'
import { maxHosts, unlimitedHosts, validateHostLimit } from './limits.ts'
import { listKeys } from './list.ts'
import { keyOrganization } from './organization.ts'
import { productContent } from './product-content.ts'
import { purpose } from './purpose.ts'
import { ACTIVATION_KEY_PERMISSIONS, hosts, presentActivationKeys, products } from './readable.ts'
import { reapply } from './reapply.ts'
import { releases, releaseVersion } from './releases.ts'
import { resolveKeys } from './resolve.ts'
import { keySearch } from './search.ts'
import { serviceLevel } from './service-level.ts'
import { addSubscriptions, removeSubscriptions, subscriptionList } from './subscriptions.ts'
import { keyWrites } from './writes.ts'

/** The keys of answers about activation keys: in the order of spec 2.7, then further ones. */
const BEGINNING = ['id', 'name', 'description', 'unlimited_hosts', 'max_hosts', 'auto_attach', 'usage_count', 'user_id']
const PURPOSE = ['release_version', 'purpose_usage', 'purpose_role', 'purpose_addons']
const REST = [
  'content_view_id',
  'environment_id',
  'content_view',
  'environment',
  'organization_id',
  'organization',
  'products',
  'host_collections',
  'permissions',
  'created_at',
  'updated_at',
  'content_view_environments',
  'content_view_environment_labels',
  'multi_content_view_environment',
  'enabled',
  'single_use',
  'used_at',
  'expires_at',
  'locations',
]
const LIST = [...BEGINNING, ...PURPOSE, ...REST]
const SHOW = [...BEGINNING, 'service_level', ...PURPOSE, 'content_overrides', ...REST]

/** Activation keys (spec 2.7 and 4.6, content-api §1 to §4). */
export const activationKeys = defineResource({
  name: 'activation_key',
  routes: { surface: 'content', parents: { lifecycle_environment: 'environment' } },
  summary: 'A key for the registration of hosts, with the content and settings that they get.',
  fields: {
    organization: keyOrganization(),
    name: contentName({ commas: false, doc: 'Unique within its organization; without commas.' }),
    description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
    environment: inSomePair(
      visibleLink(
        withObjectForm(
          link('lifecycle_environment', { show: ['name', 'id'], onDelete: 'around', doc: 'Environment of its hosts.' }),
        ),
      ),
    ),
    content_view: visibleLink(
      withObjectForm(
        link('content_view', { onDelete: 'around', doc: 'Content view of its hosts, in that environment.' }),
      ),
    ),
    content_view_environments: environmentList(),
    unlimited_hosts: unlimitedHosts(),
    max_hosts: maxHosts(),
    usage_count: integer({ readOnly: true, required: true, doc: 'Hosts that are registered with it.' }),
    auto_attach: boolean({ initial: true, doc: 'Whether its hosts get suitable subscriptions automatically.' }),
    release_version: releaseVersion(),
    service_level: serviceLevel(),
    purpose_usage: purpose('usage', 'Usage of its hosts, e.g. Production.'),
    purpose_role: purpose('role', 'Role of its hosts.'),
    purpose_addons: addons(),
    host_collections: visibleLink(
      links('host_collection', {
        through: 'activation_key_host_collections',
        doc: 'Host collections that its hosts join.',
      }),
    ),
    locations: links('location', {
      through: 'activation_key_locations',
      doc: 'Locations in which hosts can register with it; any location if empty.',
    }),
    enabled: boolean({ initial: true, search: 'explicit', doc: 'Whether hosts may register with it.' }),
    single_use: boolean({ initial: false, search: 'explicit', doc: 'Whether one host may register with it, once.' }),
    used_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the last registration with the key.' }),
    expires_at: comparable(
      timestamp({ search: 'explicit', doc: 'Time from which no host may register with it; null: never.' }),
    ),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who created the key.' }),
    content_overrides: contentOverrides(),
    subscriptions: subscriptionList(),
  },
  operations: ['show', 'update', 'delete'],
  label: 'name',
  visibility: { taxable: 'organization' },
  views: {
    list: LIST,
    show: SHOW,
    asked: [{ parameter: 'show_hosts', words: ['true', 't', '1', 'yes', 'y', 'on'], keys: ['hosts'], shows: true }],
    shown: presentActivationKeys,
  },
  readable: { ...environmentKeys, products, hosts, permissions: permissionsKey(ACTIVATION_KEY_PERMISSIONS) },
  search: keySearch,
  wire: {
    handlers: {
      update: (ctx, resource, input) => answerQuietly(input, (asked) => update(ctx, resource, asked)),
      delete: (ctx, resource, input) => answerQuietly(input, (asked) => remove(ctx, resource, asked)),
    },
    mayBeEmpty: ['update', 'delete'],
    suggests: true,
    paths: { lifecycle_environment: [] },
  },
  rules: [validateHostLimit],
  around: keyWrites,
  actions: [
    listKeys,
    createKey,
    copy,
    availableHostCollections,
    ...addHostCollections,
    removeHostCollections,
    ...addSubscriptions,
    ...removeSubscriptions,
    contentOverride,
    productContent,
    releases,
    resolveKeys,
    drift,
    reapply,
  ],
})
