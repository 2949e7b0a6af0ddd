import { boolean, type Field, link, secret, text, timestamp } from '../../../kernel/index.ts'
import { blankAsNull, lowerCase, unset } from '../../../records/coerced.ts'
import { sql } from '../../../sql.ts'
import { parameterParts } from '../../parameters/index.ts'
import { pxeLoader } from '../hostgroup/pxe-loader.ts'
import { rootPassword } from '../root-password.ts'
import { HOST_NAME, NOT_HOST_NAME } from './naming.ts'
import { network } from './network.ts'
import { owner } from './owner.ts'

const DOC = 'Whether this service installs it; true for new hosts by default.'

const PROXY = ['name', 'id', 'url']

/** The fields of hosts, without those of other areas. */
export const hostFields = {
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
  hostgroup: link('hostgroup', { doc: 'Host group from which the host inherits values.' }),
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
  comment: blankComment(),
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
}

/** The fields above, by which drafts and rows are typed. */
export type HostFields = typeof hostFields

/**
 * The field for notes: blank without any. Rows of older versions have null.
 */
function blankComment(): Field<string> {
  const field = text({ max: 65_535, blank: '', search: 'free', doc: 'Optional note.' })
  const select = (alias: string) => sql`coalesce(${sql.ref(`${alias}.comment`)}, '')`
  return {
    ...field,
    column: () => ({ name: 'comment', type: 'text', nullable: true }),
    readable: (at) =>
      Object.fromEntries(Object.entries(field.readable(at)).map(([key, shown]) => [key, { ...shown, sql: select }])),
    search: (at) => field.search(at).map((found) => ({ ...found, nullable: false, expression: select })),
  }
}

/**
 * The field for whether this service installs the host. Null means false; `hostWrites` makes new hosts managed by
 * default.
 */
function managed(): Field<boolean> {
  const field = boolean({ initial: false, search: 'free', doc: DOC })
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(Object.entries(field.writable(at)).map(([key, told]) => [key, { ...told, initial: true }])),
  }
}
