import { boolean, integer, link, links, text, timestamp } from '../../../kernel/index.ts'
import { comparable } from '../shared/moment.ts'
import { contentName } from '../shared/naming.ts'
import { visibleLink, withObjectForm } from '../shared/visible-link.ts'
import { addons } from './addons.ts'
import { contentOverrides } from './content-override.ts'
import { environmentList, inSomePair } from './environments.ts'
import { maxHosts, unlimitedHosts } from './limits.ts'
import { keyOrganization } from './organization.ts'
import { purpose } from './purpose.ts'
import { releaseVersion } from './releases.ts'
import { serviceLevel } from './service-level.ts'
import { subscriptionList } from './subscriptions.ts'

/** The fields of activation keys (spec 2.7, content-api §2). */
export const keyFields = {
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
}

/** The fields above, by which drafts and rows are typed. */
export type KeyFields = typeof keyFields
