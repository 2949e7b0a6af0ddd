import type { Action } from '../../kernel/resource.ts'
import { foundId } from '../content/found.ts'
import { libraryOf, releasesIn, wordsEnvelope, wordsOf } from '../content/releases.ts'

/** The releases that keys and hosts of an organization can be held to (content-api §2.8, §8.5). */
export const releases: Action = {
  method: 'GET',
  path: '/:id/releases',
  name: 'releases',
  summary: 'List the releases of the content of an organization',
  permissions: ['view_organizations'],
  output: wordsEnvelope,
  handle: async (ctx, organizations, input) => {
    const id = await foundId(ctx, organizations, input, 'view_organizations')
    return { status: 200, body: wordsOf(await releasesIn(ctx, [libraryOf(id)])) }
  },
}
