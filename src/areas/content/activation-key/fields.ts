import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { boolean, type Field, integer, link, links, text, timestamp } from '../../../kernel/index.ts'
import { readText, readTexts } from '../../../lib/values.ts'
import { formatTooLong, toText } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { comparable } from '../shared/moment.ts'
import { contentName } from '../shared/naming.ts'
import { visibleLink, withObjectForm } from '../shared/visible-link.ts'
import { contentOverrides } from './content-override.ts'
import { environmentList, inSomePair } from './environments.ts'
import { maxHosts, unlimitedHosts } from './limits.ts'
import { keyOrganization, resolveKeyOrganization } from './organization.ts'
import { releaseVersion } from './releases.ts'
import { subscriptionList } from './subscriptions.ts'

const LONGEST = 255

const NOT_NAMES = 'must be a list of names'

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

/** A field of free text for system purpose, with a shorter name in searches (content-api §2.9, spec 4.6). */
function purpose(search: string, doc: string): Field<string | null> {
  const field = text({ doc })
  return {
    ...field,
    search: ({ name }) => [{ name: search, type: 'text', column: name, nullable: true }],
    read: async (_ctx, { name }, sent) => (sent[name] === '' ? null : readText(sent, name)),
  }
}

/**
 * The field for the service level of a key: blank, or one that a pool of the organization offers, if pools offer any.
 */
function serviceLevel(): Field<string | null> {
  const field = text({
    doc: 'Level of support that its hosts get, one that a subscription of the organization offers.',
  })
  return {
    ...field,
    read: async (ctx, { name }, sent) => {
      const level = readText(sent, name)
      if (!level) return level === '' ? null : level
      const organization = await resolveKeyOrganization(ctx, sent)
      const offered = await rows<{ level: string; label: string }>(
        ctx.db,
        sql`select distinct s.support_level as level, o.label from subscriptions s join organizations o on o.id = s.organization_id
          where s.organization_id = ${organization} and s.support_level <> ''`,
      )
      const [first] = offered
      const isOffered = offered.some((one) => one.level.toLowerCase() === level.toLowerCase())
      // Answers put the name of the field before this message (content-api §2.9).
      if (first && !isOffered)
        throw invalid({ [name]: [`"${level}" is not available to units of organization ${first.label}.`] })
      return level
    },
  }
}

/** A field for names of purpose add-ons, sorted and without repetition; any names are allowed (content-api §2.9). */
function addons(): Field<readonly string[]> {
  const doc = 'Names of the add-ons of its hosts. Replaces the list.'
  const name = z.preprocess(
    toText,
    z.string({ error: NOT_NAMES }).refine((text) => [...text].length <= LONGEST, formatTooLong(LONGEST)),
  )
  return {
    kind: 'addons',
    doc,
    writable: (at) => ({
      [at.name]: {
        schema: () => z.array(name, { error: NOT_NAMES }).nullable().meta({ description: doc }),
        coerce: toNames,
      },
    }),
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(z.string()).meta({ description: doc }),
        sql: (alias) => sql`array_to_json(${sql.ref(`${alias}.${at.name}`)})`,
      },
    }),
    search: () => [],
    column: (at) => ({ name: at.name, type: 'text[]', nullable: false }),
    read: async (_ctx, at, sent) => {
      const names = readTexts(sent, at.name)
      return names === undefined ? undefined : [...new Set(names ?? [])].filter((text) => text !== '').sort()
    },
  }
}

/** Blank text, as forms send it, is an empty list. */
function toNames(sent: unknown): unknown {
  return sent === '' ? [] : sent
}
