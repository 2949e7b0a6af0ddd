import { z } from 'zod'
import { Failure } from '../../errors.ts'
import type { Route } from '../../requests/route.ts'

/** The description of the API as it is sent, and its checksum, by which clients recognize a new version. */
export interface Description {
  readonly text: string
  readonly checksum: string
}

/** Routes on which clients read the description before they log in (clients.md §2, §6); it is equal in every language. */
export function descriptionRoutes({ text, checksum }: Description): Route[] {
  const whole = { status: 200, body: text, headers: { etag: `"${checksum}"` } }
  return [
    described('/apidoc/v2.json', 'apidoc.show', async () => whole),
    described('/apidoc/:version', 'apidoc.language', async (_ctx, { params }) => {
      if (/^v2\.[A-Za-z_-]{2,10}\.json$/.test(params.version ?? '')) return whole
      throw new Failure('unroutable', 'Not Found')
    }),
    described('/apidoc/apipie_checksum', 'apidoc.checksum', async () => ({ status: 200, body: { checksum } })),
  ]
}

function described(path: string, id: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path,
    id,
    group: 'apidoc',
    summary: 'Description of the API',
    handle,
    access: { kind: 'public' },
    answers: { 200: z.json() },
  }
}
