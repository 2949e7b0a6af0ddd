import type { Rule } from '../../../kernel/index.ts'
import type { RepositoryFields } from './fields.ts'
import { DOWNLOADED } from './types.ts'

/** Rules of repositories: product and type of content never change, and fields must agree with each other. */
export const repositoryRules: readonly Rule<RepositoryFields>[] = [
  (_record, { product }, _ctx, stored) =>
    stored && product !== undefined && product !== stored.product_id
      ? { product_id: ['cannot be changed.'] }
      : undefined,
  (_record, { content_type }, _ctx, stored) =>
    stored && content_type !== undefined && content_type !== stored.content_type
      ? { content_type: ['cannot be changed.'] }
      : undefined,
  ({ content_type, arch }, draft) =>
    draft.arch !== undefined && arch !== 'noarch' && !['yum', 'deb'].includes(content_type ?? '')
      ? { arch: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, os_versions }, draft) =>
    draft.os_versions !== undefined && os_versions?.length && content_type !== 'yum'
      ? { os_versions: [`cannot be set for repositories of type '${content_type}'`] }
      : undefined,
  ({ content_type, download_policy }) =>
    download_policy && !DOWNLOADED.includes(content_type ?? '')
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
