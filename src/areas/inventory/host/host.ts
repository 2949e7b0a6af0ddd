import { boolean, type Definition, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { blankAsNull, lowerCase } from '../../../records/coerced.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { unset } from '../../../records/unset.ts'
import { allParameters, HIDDEN_QUERY, parameterParts, paramSearch, presentParameters } from '../../parameters/index.ts'
import { hostFacts } from '../fact/fact-value.ts'
import { reportedSearch } from '../fact/reported-search.ts'
import { factSearch } from '../fact/search.ts'
import { uploadFacts } from '../fact/upload.ts'
import { pxeLoader } from '../hostgroup/pxe-loader.ts'
import { rootPassword } from '../root-password.ts'
import { creator } from './creator.ts'
import { deleteFound } from './delete-found.ts'
import { managed } from './managed.ts'
import { HOST_NAME, NOT_HOST_NAME } from './naming.ts'
import { network } from './network.ts'
import { owner } from './owner.ts'
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

const PROXY = ['name', 'id', 'url']

/**
 * The declaration of hosts, without the contributions of other areas, which `areas/index.ts` adds (spec 2.4, core-api
 * §1.5, §11).
 */
export const host = {
  name: 'host',
  summary: 'A machine that you provision, configure and manage.',
  fields: {
    name: lowerCase(
      text({
        required: true,
        pattern: { regexp: HOST_NAME, message: NOT_HOST_NAME },
        search: 'free',
        doc: 'Full name, unique, in lower case; the domain is appended to a short one.',
      }),
    ),
    certname: blankAsNull(text({ doc: 'Unique name in its certificate; the name of the host by default.' })),
    organization: link('organization', { doc: 'Its organization; required for managed hosts.' }),
    location: link('location', { doc: 'Its location; required for managed hosts.' }),
    owner: owner(),
    owner_user: link('user', { readOnly: true, doc: 'The user who owns it.' }),
    owner_usergroup: link('usergroup', { readOnly: true, doc: 'The user group that owns it.' }),
    hostgroup: link('hostgroup', { doc: 'Host group from which it inherits values that the request omits.' }),
    environment: link('environment', { doc: 'Environment of the configuration engine.' }),
    architecture: link('architecture', { doc: 'Its architecture.' }),
    operatingsystem: link('operatingsystem', { doc: 'Operating system to install.' }),
    medium: link('medium', { doc: 'Installation medium.' }),
    ptable: link('ptable', { doc: 'Partition table.' }),
    model: link('model', { doc: 'Hardware model.' }),
    realm: link('realm', { doc: 'Realm that it joins.' }),
    compute_resource: link('compute_resource', { doc: 'Compute resource on which it runs as a virtual machine.' }),
    compute_profile: link('compute_profile', { doc: 'Compute profile: the size of the virtual machine.' }),
    image: link('image', { doc: 'Image for its creation.' }),
    config_proxy: link('smart_proxy', { show: PROXY, doc: 'Proxy that starts its configuration runs.' }),
    config_ca_proxy: link('smart_proxy', { show: PROXY, doc: 'Proxy that signs its certificate.' }),
    build: boolean({ initial: false, search: 'free', doc: 'Whether it waits for its installation at the next boot.' }),
    enabled: boolean({ initial: true, doc: 'Whether reports and states include it.' }),
    managed: managed(),
    use_image: unset(boolean({ initial: false, doc: 'Deprecated: whether it is created from an image.' })),
    image_file: text({ blank: '', doc: 'Path of the image file.' }),
    provision_method: text({ oneOf: ['build', 'image'], blank: 'build', doc: 'Provisioning method: build or image.' }),
    pxe_loader: pxeLoader(),
    comment: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
    disk: text({ max: 65_535, doc: 'Its own partition script.' }),
    uuid: blankAsNull(text({ search: 'free', doc: 'Unique identifier at its compute resource.' })),
    root_pass: rootPassword(),
    otp: secret({
      clearable: true,
      max: 255,
      encrypted: true,
      sentTo: [], // no machine gets it so far
      doc: 'One-time password for joining its realm.',
    }),
    build_errors: text({ readOnly: true, doc: 'Errors of the last installation.' }),
    last_compile: timestamp({
      readOnly: true,
      search: 'explicit',
      doc: 'Time of the last compilation of its configuration.',
    }),
    last_report: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the last report.' }),
    initiated_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time when its installation was requested.' }),
    installed_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the installation.' }),
    interfaces: network(),
    parameters: parameterParts('host'),
  },
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
