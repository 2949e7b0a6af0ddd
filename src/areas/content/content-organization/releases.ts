import type { Action } from '../../../kernel/index.ts'
import { loadReleasesIn, presentWords, selectLibrary, wordsEnvelope } from '../shared/releases.ts'

/** Lists the releases that keys and hosts of an organization can be set to (content-api §2.8, §8.5). */
export const releases: Action = {
  method: 'GET',
  path: '/:id/releases',
  name: 'releases',
  summary: 'List the releases of the content of an organization',
  permissions: ['view_organizations'],
  output: wordsEnvelope,
  record: { how: 'found' },
  handle: async (ctx, _organizations, _input, { id }) => ({
    status: 200,
    body: presentWords(await loadReleasesIn(ctx, [selectLibrary(id)])),
  }),
}
