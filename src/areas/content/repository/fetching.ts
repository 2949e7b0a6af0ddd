import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import { boolean, type Draft, type Field, integer, link, type Rule, text } from '../../../kernel/index.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { textIn } from '../../../records/text-in.ts'
import { buildUrlLanguage, type Language, YAML } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'
import { CREDENTIAL_IDS, CREDENTIALS, credentialFields } from '../shared/credentials.ts'
import { nullIfEmpty, shortTexts } from './short-texts.ts'
import { CHECKSUM_TYPES, HTTP_PROXY_POLICIES, IGNORABLE } from './types.ts'

const buildBlankableText = (doc: string, max = 255, language?: Language) =>
  blankAsNull(language ? textIn(language, { max, doc }) : text({ max, doc }))
const TOKEN_URL = buildUrlLanguage(/^https?:\/\/[^\s/?#@]+\S*$/, 'must be a URL that begins with http:// or https://')
const SELECTED = 'use_selected_http_proxy'

/**
 * Fields about fetching content (content-api §8.4). They are stored for other programs: this service fetches nothing.
 */
export const fetchingFields = {
  checksum_type: blankAsNull(
    text({
      oneOf: CHECKSUM_TYPES,
      doc: `Checksums of a yum repository: ${CHECKSUM_TYPES.join(', ')}; null: those of the source.`,
    }),
  ),
  ignorable_content: nullIfEmpty(
    shortTexts({ doc: `Content types of a yum repository to leave out: ${IGNORABLE.join(', ')}; null: none.` }),
  ),
  docker_upstream_name: buildBlankableText('Name of a docker repository at its source.'),
  docker_tags_whitelist: nullIfEmpty(shortTexts({ doc: 'Tags to fetch from a docker repository; null: all.' })),
  deb_releases: buildBlankableText('Releases of a deb repository, separated by spaces.', 1024),
  deb_components: buildBlankableText('Components of a deb repository, separated by spaces.', 1024),
  deb_architectures: buildBlankableText('Architectures of a deb repository, separated by spaces.', 1024),
  ansible_collection_requirements: buildBlankableText(
    'Collections to fetch, in the format of requirements.yml.',
    65_535,
    YAML,
  ),
  ansible_collection_auth_url: buildBlankableText(
    'URL at which the source of collections issues tokens.',
    2048,
    TOKEN_URL,
  ),
  download_concurrency: integer({ min: 1, max: 20, doc: 'Number of files to fetch at once.' }),
  upstream_username: buildBlankableText(
    'User name at the source. The service stores no password, because it does not fetch content.',
  ),
  verify_ssl_on_sync: boolean({ initial: true, doc: 'Whether the certificate of the source is to be verified.' }),
  http_proxy_policy: text({
    oneOf: HTTP_PROXY_POLICIES,
    blank: 'global_default_http_proxy',
    doc: `HTTP proxy policy: ${HTTP_PROXY_POLICIES.join(', ')}.`,
  }),
  http_proxy: link('http_proxy', { show: ['id', 'name', 'url'], doc: `The HTTP proxy of the policy ${SELECTED}.` }),
  ...credentialFields,
} as const

/** The keys of answers about how content is fetched. */
export const FETCHING_KEYS = [
  'checksum_type',
  'ignorable_content',
  'docker_upstream_name',
  'docker_tags_whitelist',
  'deb_releases',
  'deb_components',
  'deb_architectures',
  'ansible_collection_requirements',
  'ansible_collection_auth_url',
  'download_concurrency',
  'upstream_username',
  'verify_ssl_on_sync',
  'http_proxy_policy',
  'http_proxy_id',
  'http_proxy_name',
  'http_proxy',
  ...CREDENTIALS,
  ...CREDENTIAL_IDS,
]

/** Fields that are for one type of content only. */
const ONLY = [
  ['checksum_type', 'yum'],
  ['ignorable_content', 'yum'],
  ['docker_upstream_name', 'docker'],
  ['docker_tags_whitelist', 'docker'],
  ['deb_releases', 'deb'],
  ['deb_components', 'deb'],
  ['deb_architectures', 'deb'],
  ['ansible_collection_requirements', 'ansible_collection'],
  ['ansible_collection_auth_url', 'ansible_collection'],
] as const

type Fetched = typeof fetchingFields & { readonly content_type: Field<string> }

/** Refuses values that do not fit the type of content, and proxies that do not fit the policy. */
export const validateFetching: Rule<Fetched> = (record, draft): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  for (const [key, type] of ONLY)
    if (isSaid(draft[key]) && record.content_type !== type)
      errors[key] = [`cannot be set for repositories of type '${record.content_type}', only for ${type}`]
  const ignored = record.ignorable_content ?? []
  const unknown = ignored.filter((word) => !IGNORABLE.includes(word))
  if (unknown.length > 0) errors.ignorable_content ??= [`must be some of ${IGNORABLE.join(', ')}`]
  const isSelected = record.http_proxy_policy === SELECTED
  if (isSelected && !isSaid(record.http_proxy)) errors.http_proxy_id = [`is needed with the policy ${SELECTED}`]
  if (!isSelected && isSaid(draft.http_proxy)) errors.http_proxy_id = [`can be set with the policy ${SELECTED} only`]
  return Object.keys(errors).length > 0 ? errors : undefined
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
}

/** Clears the proxy of a repository when the policy changes to one that does not use it: no proxy, or that of the settings. */
export function withoutOtherProxy<Values extends Draft<Fetched>>(draft: Values): Values {
  const leaves = draft.http_proxy_policy !== undefined && draft.http_proxy_policy !== SELECTED
  return leaves ? { ...draft, http_proxy: null } : draft
}

/** Refuses credentials of another organization than the product's. {@throws Failure} invalid */
export async function refuseForeignCredentials(
  tx: Context,
  draft: Draft<Fetched>,
  product: number,
  id: number | null,
): Promise<void> {
  const named = CREDENTIALS.filter((key) => draft[key])
  if (named.length === 0) return
  const known = await rows<{ id: number }>(
    tx.db,
    sql`select c.id from content_credentials c join products p on p.organization_id = c.organization_id
      where p.id = ${product}::bigint and c.id = any (${named.map((key) => draft[key])}::bigint[])`,
  )
  const foreign = named.filter((key) => !known.some((one) => one.id === draft[key]))
  if (foreign.length === 0) return
  throw invalid(
    Object.fromEntries(foreign.map((key) => [`${key}_id`, ['must be of the organization of the product']])),
    id,
  )
}
