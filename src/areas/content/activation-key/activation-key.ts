import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { openKept, selectKept } from '../../../encryption/hidden-values.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  create,
  defineResource,
  type Resource,
  remove,
  type Stored,
  update,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { changeAttributes } from '../../../records/attributes.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { KEYS_PARAMETER } from '../../../words/protocols.ts'
import { readKeyNames } from '../../registration/index.ts'
import { drift } from '../drift/drift.ts'
import { reapply } from '../drift/reapply.ts'
import { answerQuietly } from '../shared/quietly.ts'
import { contentOverride } from './content-override.ts'
import { copy } from './copy.ts'
import { environmentKeys, resolveEnvironmentList } from './environments.ts'
import { type KeyFields, keyFields } from './fields.ts'
import { addHostCollections, availableHostCollections, removeHostCollections } from './host-collections.ts'
import { resolveLimits, validateHostLimit } from './limits.ts'
import { listKeys } from './list.ts'
import { productContent } from './product-content.ts'
import { ACTIVATION_KEY_PERMISSIONS, hosts, presentActivationKeys, products } from './readable.ts'
import { releases } from './releases.ts'
import { resolveKeys } from './resolve.ts'
import { keySearch } from './search.ts'
import { addSubscriptions, removeSubscriptions } from './subscriptions.ts'

/**
 * Completes the fields of a key that depend on each other (content-api §2.6, §2.7), and stores who created it
 * (content-api §1.4).
 */
const keyWrites: WriteWrapper<KeyFields> = {
  async create(ctx, draft, next) {
    return next({
      ...draft,
      ...resolveLimits(draft, null),
      ...(await resolveEnvironmentList(ctx, draft, null)),
      user: ctx.user.id,
    })
  },
  async update(ctx, stored, draft, next) {
    if (draft.name !== undefined && draft.name !== stored.name) await refuseWhileNamed(ctx, stored, 'renaming')
    await next({ ...draft, ...resolveLimits(draft, stored), ...(await resolveEnvironmentList(ctx, draft, stored)) })
  },
  async delete(ctx, stored, next) {
    await refuseWhileNamed(ctx, stored, 'deleting')
    await next()
  },
}

/**
 * Creates a key (spec 4.6, content-api §2.3). A key that is created below an environment gets that environment, and its
 * organization.
 */
const createKey: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a new activation key',
  permissions: ['create_activation_keys'],
  takes: 'create',
  status: 201,
  handle: createBelow,
}

async function createBelow(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const environment_id = input.params.environment_id
  if (environment_id === undefined) return create(ctx, resource, input)
  const body = changeAttributes(resource, input.body, ({ environment: _other, ...attributes }) => ({
    ...attributes,
    environment_id,
  }))
  return create(ctx, resource, { ...input, body })
}

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
    transform: presentActivationKeys,
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
  wrapWrite: keyWrites,
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

/**
 * Refuses to delete or rename a key that a parameter of a host or host group names for registrations (content-api §2.10). Only
 * parameters in the key's organization count, because names of keys are unique within an organization.
 */
async function refuseWhileNamed(
  ctx: Context,
  stored: Stored & { readonly name: string; readonly organization_id: number },
  doing: 'deleting' | 'renaming',
): Promise<void> {
  const { name, organization_id: organization } = stored
  const found = await rows<{ names: string | null }>(
    ctx.db,
    sql`select distinct ${selectKept('parameters', 'p')} as names from parameters p
      where p.name = ${KEYS_PARAMETER} and (p.host_id is not null or p.hostgroup_id is not null)
        and (p.hidden_value
          or ${name}::text in (select trim(w.name) from regexp_split_to_table(p.value #>> '{}', ',') as w (name)))
        and (exists (select from hosts h where h.id = p.host_id and coalesce(h.organization_id, ${organization}) = ${organization})
          or exists (select from hostgroups g where g.id = p.hostgroup_id and (
            exists (select from hostgroup_organizations l where l.hostgroup_id = g.id and l.organization_id = ${organization})
            or not exists (select from hostgroup_organizations l where l.hostgroup_id = g.id))))`,
  )
  const open = (names: string | null) => readKeyNames(openKept(ctx.encryption, 'parameters', names))
  if (!found.some(({ names }) => open(names).some((one) => one.trim() === name))) return
  const search = `params.${KEYS_PARAMETER} ~ "${name}"`
  throw invalid(
    {
      base: [
        `This activation key is associated to one or more Hosts/Hostgroups. Search and unassociate Hosts/Hostgroups using ${search} before ${doing}.`,
      ],
    },
    stored.id,
  )
}
