import type { Rule } from '../../../kernel/index.ts'
import type { Language } from '../../../requests/languages.ts'
import { DOWNLOADED } from './types.ts'

const SCHEMES = /^(?:https?|ftp|uln|file):$/
const NOT_ADDRESS = 'must be an address that begins with http://, https://, ftp://, uln:// or file://'

/** Rules of repositories: product and type of content never change, and fields must agree with each other. */
export const repositoryRules: readonly Rule[] = [
  (_record, { product }, _ctx, stored) =>
    stored && product !== undefined && product !== stored.product_id
      ? { product_id: ['cannot be changed.'] }
      : undefined,
  (_record, { content_type }, _ctx, stored) =>
    stored && content_type !== undefined && content_type !== stored.content_type
      ? { content_type: ['cannot be changed.'] }
      : undefined,
  ({ content_type, arch }, draft) =>
    draft.arch !== undefined && arch !== 'noarch' && !['yum', 'deb'].includes(String(content_type))
      ? { arch: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, os_versions }, draft) =>
    draft.os_versions !== undefined && Array.isArray(os_versions) && os_versions.length > 0 && content_type !== 'yum'
      ? { os_versions: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, download_policy }) =>
    download_policy && !DOWNLOADED.includes(String(content_type))
      ? { download_policy: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, mirroring_policy }) =>
    mirroring_policy === 'mirror_complete' && content_type !== 'yum'
      ? { mirroring_policy: [`cannot be mirror_complete for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, unprotected }) =>
    content_type === 'docker' && unprotected === false
      ? { unprotected: ["must be true for repositories of type 'docker'"] }
      : undefined,
]

/** Where a repository gets its content from. */
export const SOURCE_URL: Language = {
  name: 'URL',
  findProblem: (url) => {
    const parsed = URL.parse(url)
    if (!parsed || /\s/.test(url) || !SCHEMES.test(parsed.protocol)) return NOT_ADDRESS
    if (parsed.protocol !== 'file:' && parsed.hostname === '') return NOT_ADDRESS
    return parsed.username || parsed.password ? 'must not have a user name or password in it' : null
  },
}
