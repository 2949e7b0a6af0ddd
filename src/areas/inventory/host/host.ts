import type { Definition } from '../../../kernel/index.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { allParameters, HIDDEN_QUERY, paramSearch, presentParameters } from '../../parameters/index.ts'
import { hostFacts } from '../fact/fact-value.ts'
import { reportedSearch } from '../fact/reported-search.ts'
import { factSearch } from '../fact/search.ts'
import { uploadFacts } from '../fact/upload.ts'
import { creator } from './creator.ts'
import { deleteFound } from './delete-found.ts'
import { hostFields } from './fields.ts'
import { HOST_PERMISSIONS, HOST_RECORD_PERMISSIONS } from './permissions.ts'
import { proxySearch } from './proxy-search.ts'
import { RAW_KEYS } from './raw.ts'
import { hostReadable } from './readable.ts'
import { hostSearch } from './search.ts'
import { hostWrites } from './writes.ts'

const namesOf = (name: string) => [`${name}_id`, `${name}_name`]

/** The keys of hosts in lists, in order. */
export const HOST_KEYS = [
  'ip',
  'ip6',
  ...namesOf('environment'),
  'last_report',
  'mac',
  ...namesOf('realm'),
  'sp_mac',
  'sp_ip',
  'sp_name',
  ...['domain', 'architecture', 'operatingsystem', 'subnet', 'subnet6'].flatMap(namesOf),
  'sp_subnet_id',
  ...['ptable', 'medium'].flatMap(namesOf),
  'pxe_loader',
  'build',
  'comment',
  'disk',
  'initiated_at',
  'installed_at',
  'model_id',
  'hostgroup_id',
  'owner_id',
  'owner_name',
  'owner_type',
  'enabled',
  'managed',
  'use_image',
  'image_file',
  'uuid',
  ...['compute_resource', 'compute_profile'].flatMap(namesOf),
  'capabilities',
  'provision_method',
  'certname',
  ...namesOf('image'),
  'created_at',
  'updated_at',
  'last_compile',
  'global_status',
  'global_status_label',
  'uptime_seconds',
  'bmc_available',
  ...['organization', 'location'].flatMap(namesOf),
  'model_name',
  'build_status',
  'build_status_label',
  'name',
  'id',
  ...['config_proxy', 'config_ca_proxy'].flatMap(namesOf),
  'config_proxy',
  'config_ca_proxy',
  'hostgroup_name',
  'hostgroup_title',
]

/** Keys about who created a host: single hosts show them, and lists do so on request. */
export const CREATOR_KEYS = Object.keys(creator)

/**
 * The declaration of hosts, without the contributions of other areas, which `areas/index.ts` adds (spec 2.4, core-api
 * §1.5, §11).
 */
export const host = {
  name: 'host',
  summary: 'A machine that you provision, configure and manage.',
  fields: hostFields,
  label: 'name',
  routes: {
    namedBy: 'label',
    parents: {
      hostgroup: 'hostgroup',
      environment: 'environment',
      smart_proxy: 'config_proxy',
      architecture: 'architecture',
      realm: 'realm',
      domain: 'interfaces',
    },
  },
  visibility: { taxable: 'own' },
  views: {
    query: HIDDEN_QUERY,
    list: HOST_KEYS,
    show: [...HOST_KEYS, 'parameters', 'all_parameters', ...CREATOR_KEYS, 'interfaces', 'permissions'],
    deleted: RAW_KEYS,
    asked: [
      { parameter: 'thin', words: ['true', '1'], keys: ['id', 'name'], alone: true },
      { parameter: 'include', words: ['parameters'], keys: ['parameters'] },
      { parameter: 'include', words: ['all_parameters'], keys: ['all_parameters'] },
      { parameter: 'include', words: ['creator'], keys: CREATOR_KEYS },
    ],
    shown: async (ctx, resource, rows, query) =>
      presentPermissions(HOST_RECORD_PERMISSIONS)(
        ctx,
        resource,
        await presentParameters(ctx, resource, rows, query),
        query,
      ),
  },
  readable: {
    ...hostReadable,
    ...creator,
    permissions: permissionsKey(HOST_RECORD_PERMISSIONS),
    all_parameters: allParameters,
  },
  search: [...hostSearch, proxySearch, factSearch, ...reportedSearch, paramSearch],
  permissions: { further: HOST_PERMISSIONS },
  // Answers have a key with the bare name of the group beside its title; clients that send the title mean the group.
  wire: {
    aliases: { hostgroup_title: 'hostgroup_name' },
    paths: { architecture: ['list'], realm: ['list'], domain: ['list'] },
  },
  around: hostWrites,
  actions: [uploadFacts, hostFacts, deleteFound],
} as const satisfies Definition
