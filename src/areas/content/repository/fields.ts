import { boolean, integer, link, text } from '../../../kernel/index.ts'
import { blankAsNull } from '../../../records/coerced.ts'
import { textIn } from '../../../records/text-in.ts'
import type { Language } from '../../../requests/languages.ts'
import { sql } from '../../../sql.ts'
import { CONTAINING, selectRepositoriesOfEnvironment, selectRepositoriesOfVersion } from '../content-view/contains.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { contentLabel } from '../shared/label.ts'
import { contentName } from '../shared/naming.ts'
import { fetchingFields } from './fetching.ts'
import { shortTexts } from './short-texts.ts'
import { CONTENT_TYPES, DOWNLOAD_POLICIES, MIRRORING_POLICIES } from './types.ts'

const SCHEMES = /^(?:https?|ftp|uln|file):$/
const NOT_ADDRESS = 'must be an address that begins with http://, https://, ftp://, uln:// or file://'

/** Where a repository gets its content from. */
const SOURCE_URL: Language = {
  name: 'URL',
  findProblem: (url) => {
    const parsed = URL.parse(url)
    if (!parsed || /\s/.test(url) || !SCHEMES.test(parsed.protocol)) return NOT_ADDRESS
    if (parsed.protocol !== 'file:' && parsed.hostname === '') return NOT_ADDRESS
    return parsed.username || parsed.password ? 'must not have a user name or password in it' : null
  },
}

const TAKEN = 'has already been taken for this product.'

/** The fields of repositories (content-api §8.4). */
export const repositoryFields = {
  name: contentName({ taken: TAKEN, doc: 'Unique in its product.' }),
  label: contentLabel({ taken: TAKEN, among: 'in its product' }),
  description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
  product: link('product', {
    required: true,
    onDelete: 'cascade',
    search: true,
    show: ['id', 'cp_id', 'name', 'redhat'],
    doc: 'Its product; never changes.',
  }),
  content_type: text({
    required: true,
    oneOf: CONTENT_TYPES,
    search: 'free',
    doc: `Content type: ${CONTENT_TYPES.join(', ')}. Never changes.`,
  }),
  url: blankAsNull(
    textIn(SOURCE_URL, {
      max: 2048,
      search: 'explicit',
      doc: 'URL of the content: http, https, ftp, file or uln.',
    }),
  ),
  arch: blankAsNull(
    text({
      max: 64,
      blank: 'noarch',
      search: 'explicit',
      doc: 'Architecture that its content is for; noarch: any.',
    }),
  ),
  major: integer({ min: 0, search: 'explicit', doc: 'Number of the major release that its content is for.' }),
  minor: blankAsNull(
    text({
      max: 64,
      pattern: { regexp: /^[A-Za-z0-9._-]+$/, message: 'must be a release such as 8.4 or 7Server' },
      search: 'explicit',
      doc: 'Release of its content, such as 8.4 or 7Server. Activation keys can limit hosts to it.',
    }),
  ),
  os_versions: shortTexts({ doc: 'Required operating systems of hosts, such as rhel-8; none: any.' }),
  download_policy: text({
    oneOf: DOWNLOAD_POLICIES,
    search: 'explicit',
    doc: 'Download policy of packages: immediate or on_demand.',
  }),
  mirroring_policy: text({
    oneOf: MIRRORING_POLICIES,
    doc: 'Handling of packages that are no longer at the source: additive, mirror_complete or mirror_content_only.',
  }),
  unprotected: boolean({ initial: true, doc: 'Whether hosts get it without a certificate.' }),
  ...fetchingFields,
  content_views: indirectLink(
    'The content views that are made from it.',
    ['content_view_repositories', 'content_views', 'products'],
    (repository, id) => sql`(exists (
        select from content_view_repositories l where l.repository_id = ${sql.ref(`${repository}.id`)} and l.content_view_id = ${id})
      or exists (select from content_views v join products o on o.organization_id = v.organization_id
        where v.id = ${id} and v."default" and o.id = ${sql.ref(`${repository}.product_id`)}))`,
  ),
  content_view_versions: indirectLink(
    'The published versions that have it.',
    CONTAINING,
    (repository, id) =>
      sql`${sql.ref(`${repository}.id`)} in (select repository_id from ${selectRepositoriesOfVersion(sql`${id}::bigint`)} c)`,
  ),
  environments: indirectLink(
    'The environments that it is in.',
    CONTAINING,
    (repository, id) =>
      sql`${sql.ref(`${repository}.id`)} in (select repository_id from ${selectRepositoriesOfEnvironment(sql`${id}::bigint`)} c)`,
  ),
}

/** The fields above, by which drafts and rows are typed. */
export type RepositoryFields = typeof repositoryFields
