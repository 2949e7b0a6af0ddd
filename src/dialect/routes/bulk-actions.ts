import { z } from 'zod'
import { invalid } from '../../errors.ts'
import type { Members } from '../../lib/values.ts'
import { toBoolean } from '../../requests/sent.ts'
import { NO_POWER } from './power.ts'

/** An action of clients on many hosts at once: a route of this service for each of them, all in one transaction. */
export interface BulkAction {
  readonly name: string
  readonly summary: string
  /** The id of the route for one host, and how to build its input. */
  readonly route: string
  readonly body: Readonly<Record<string, z.ZodType>>
  readonly sent: (body: Members) => Members
  /** Keys of the body that say what to do, of which one is required; absent where the action itself says it. */
  readonly needs?: readonly string[]
  /** The scope of the request by which hosts are chosen, and which they then leave. */
  readonly leaves?: 'organization' | 'location'
  /** The message for this many hosts; absent where the answer is a task. */
  readonly said?: (count: number, body: Members) => string
}

/** Describes a key whose value is a list. */
export const list = (description: string) => z.array(z.json()).optional().meta({ description })
const word = (description: string) => z.json().optional().meta({ description })
/** Formats a number of hosts. */
export const formatHostCount = (count: number) => (count === 1 ? '1 host' : `${count} hosts`)
const pools = { subscriptions: list('Pools, each with its id and a quantity.') }
const pickNamed =
  (...keys: readonly string[]) =>
  (body: Members) =>
    Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])))
const PURPOSE = ['service_level', 'purpose_role', 'purpose_usage', 'purpose_addons']
const buildFacet = (kind: string, members: Members) => ({ host: { [`${kind}_facet_attributes`]: members } })

/** The actions that clients know, each with the route for one host. */
export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    name: 'build',
    summary: 'Let hosts wait for their installation',
    route: 'hosts.update',
    body: { reboot: word('Not done: hosts are not reached.'), rebuild_configuration: word('Only what servers keep.') },
    sent: () => ({ host: { build: true } }),
    said: (count) => `Built ${formatHostCount(count)}`,
  },
  ...['reassign_hostgroup', 'reassign_hostgroups'].map((name) => ({
    name,
    summary: 'Put hosts into a group, or into none',
    route: 'hosts.update',
    body: { hostgroup_id: word('The group; without one they are in none.') },
    sent: ({ hostgroup_id: id }: Members) => ({ host: { hostgroup_id: id === undefined || id === '' ? null : id } }),
    said: (count: number, { hostgroup_id: id }: Members) =>
      id === undefined || id === null || id === ''
        ? `Removed assignment of host group from ${formatHostCount(count)}`
        : `Reassigned ${formatHostCount(count)} to a hostgroup`,
  })),
  {
    name: 'change_owner',
    summary: 'Give hosts to a user or a group of users',
    route: 'hosts.update',
    body: { owner_id: word('The owner, such as 4-Users or 4-Usergroups; a number alone names a user.') },
    needs: ['owner_id'],
    sent: ({ owner_id: sent }) => ({ host: readOwner(sent) }),
    said: (count) => `Changed the owner of ${formatHostCount(count)}`,
  },
  ...(['organization', 'location'] as const).map((kind) => ({
    name: `assign_${kind}`,
    summary: `Move hosts to another ${kind}`,
    route: 'hosts.update',
    body: { id: word(`Id of the ${kind}.`) },
    needs: ['id'],
    leaves: kind,
    sent: ({ id }: Members) => ({ host: { [`${kind}_id`]: id } }),
    said: (count: number) => `Moved ${formatHostCount(count)} to the ${kind}`,
  })),
  {
    name: 'disassociate',
    summary: 'Let hosts be without machines of compute resources',
    route: 'hosts.update',
    body: {},
    sent: () => ({ host: { compute_resource_id: null, uuid: null } }),
    said: (count) => `Disassociated ${formatHostCount(count)}`,
  },
  {
    name: 'change_power_state',
    summary: 'Switch hosts on or off',
    route: 'hosts.update',
    body: { power: word('What is done, e.g. start, stop, reset.') },
    needs: ['power'],
    sent: () => {
      throw invalid({ base: [NO_POWER] })
    },
  },
  {
    name: 'environment_content_view',
    summary: 'Give hosts the content of a view in an environment',
    route: 'hosts.update',
    body: { environment_id: word('The environment.'), content_view_id: word('The content view.') },
    needs: ['environment_id', 'content_view_id'],
    sent: ({ environment_id: environment, content_view_id: view }) =>
      buildFacet('content', {
        ...(environment !== undefined && { lifecycle_environment_id: environment }),
        ...(view !== undefined && { content_view_id: view }),
      }),
  },
  {
    name: 'assign_content_view_environments',
    summary: 'Give hosts the content of views in environments',
    route: 'hosts.update',
    body: {
      content_view_environments: list('Labels of views in environments.'),
      content_view_environment_ids: list('Ids of views in environments.'),
    },
    needs: ['content_view_environments', 'content_view_environment_ids'],
    sent: (body) => buildFacet('content', pickNamed('content_view_environments', 'content_view_environment_ids')(body)),
  },
  {
    name: 'manage_notifications',
    summary: 'Say whether hosts are reported of',
    route: 'hosts.update',
    body: { enabled: word('Whether they are.') },
    needs: ['enabled'],
    sent: (body) => ({ host: pickNamed('enabled')(body) }),
    said: (count, { enabled }) =>
      `${toBoolean(enabled) === true ? 'Enabled' : 'Disabled'} notifications of ${formatHostCount(count)}`,
  },
  {
    name: 'release_version',
    summary: 'Hold hosts at a release',
    route: 'hosts.update',
    body: { release_version: word('The release.') },
    needs: ['release_version'],
    sent: (body) => buildFacet('subscription', pickNamed('release_version')(body)),
  },
  {
    name: 'system_purpose',
    summary: 'Set the system purpose of hosts',
    route: 'hosts.update',
    body: {
      service_level: word('Service level.'),
      purpose_role: word('Their role.'),
      purpose_usage: word('Usage, e.g. Production.'),
      purpose_addons: list('Their add-ons.'),
    },
    needs: PURPOSE,
    sent: (body) => buildFacet('subscription', pickNamed(...PURPOSE)(body)),
  },
  {
    name: 'content_overrides',
    summary: 'Override properties of contents for hosts',
    route: 'hosts.content_override',
    body: {
      content_overrides: list('Overrides by the labels of contents.'),
      content_overrides_search: word('Overrides by a search of contents.'),
    },
    needs: ['content_overrides', 'content_overrides_search'],
    sent: pickNamed('content_overrides', 'content_overrides_search'),
  },
  {
    name: 'add_subscriptions',
    summary: 'Give hosts uses of subscriptions',
    route: 'hosts.add_subscriptions',
    body: pools,
    needs: ['subscriptions'],
    sent: pickNamed('subscriptions'),
  },
  {
    name: 'remove_subscriptions',
    summary: 'Take subscriptions away from hosts',
    route: 'hosts.remove_subscriptions',
    body: pools,
    needs: ['subscriptions'],
    sent: pickNamed('subscriptions'),
  },
  {
    name: 'auto_attach',
    summary: 'Give hosts subscriptions for what they have installed',
    route: 'hosts.auto_attach',
    body: {},
    sent: () => ({}),
  },
  { name: 'destroy', summary: 'Delete hosts', route: 'hosts.delete', body: {}, sent: () => ({}) },
]

const OWNER_TYPES: Readonly<Record<string, string>> = { Users: 'User', Usergroups: 'Usergroup' }

/** Reads an owner as forms and clients write it. Other texts are refused as ids. */
function readOwner(sent: unknown): Members {
  const [, id = sent, word = 'Users'] = /^(\d+)-(Users|Usergroups)$/.exec(String(sent)) ?? []
  return { owner_id: id === '' ? null : id, owner_type: OWNER_TYPES[word] }
}
