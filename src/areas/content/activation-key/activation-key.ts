import { defineResource, remove, update } from '../../../kernel/index.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { answerQuietly } from '../shared/quietly.ts'
import { contentOverride } from './content-override.ts'
import { copy } from './copy.ts'
import { createKey } from './create.ts'
import { drift } from './drift.ts'
import { environmentKeys } from './environments.ts'
import { keyFields } from './fields.ts'
import { addHostCollections, availableHostCollections, removeHostCollections } from './host-collections.ts'
import { validateHostLimit } from './limits.ts'
import { listKeys } from './list.ts'
import { productContent } from './product-content.ts'
import { ACTIVATION_KEY_PERMISSIONS, hosts, presentActivationKeys, products } from './readable.ts'
import { reapply } from './reapply.ts'
import { releases } from './releases.ts'
import { resolveKeys } from './resolve.ts'
import { keySearch } from './search.ts'
import { addSubscriptions, removeSubscriptions } from './subscriptions.ts'
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
  fields: keyFields,
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
