import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { type Action, type Field, type Resource, type Stored, text } from '../../../kernel/index.ts'
import { readText } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadReleasesIn, presentWords, selectLibrary, wordsEnvelope } from '../shared/releases.ts'
import { resolveKeyOrganization } from './organization.ts'

/** Lists the releases that a key can be set to (spec 4.6 set b, content-api §2.8). */
export const releases: Action = {
  method: 'GET',
  path: '/:id/releases',
  name: 'releases',
  summary: 'List the releases that the hosts of an activation key can be held to',
  permissions: ['view_activation_keys'],
  output: wordsEnvelope,
  record: { how: 'found' },
  handle: listReleases,
}

/** The field for the release of a key: blank, or a release of the Library (content-api §2.8). */
export function releaseVersion(): Field<string | null> {
  const field = text({ doc: 'Release to which its hosts are limited, from the Library of the organization.' })
  return {
    ...field,
    read: async (ctx, { name }, sent) => {
      const version = readText(sent, name)
      if (!version) return version === '' ? null : version
      const known = await loadReleasesIn(ctx, [selectLibrary(await resolveKeyOrganization(ctx, sent))])
      if (!known.includes(version)) throw new Failure('bad_parameter', `Invalid release version: [${version}]`)
      return version
    },
  }
}

async function listReleases(ctx: Context, _keys: Resource, _input: Input, { id }: Stored): Promise<Answer> {
  const key = await row<{ organization_id: number; environments: number[] }>(
    ctx.db,
    sql`select k.organization_id, array(
        select k.environment_id where k.environment_id is not null
        union select f.environment_id from activation_key_environments f where f.activation_key_id = k.id) as environments
      from activation_keys k where k.id = ${id}`,
  )
  const { organization_id = 0, environments = [] } = key ?? {}
  const places =
    environments.length > 0 ? environments.map((one) => sql`${one}::bigint`) : [selectLibrary(organization_id)]
  return { status: 200, body: presentWords(await loadReleasesIn(ctx, places)) }
}
