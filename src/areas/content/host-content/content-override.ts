import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Action, type Resource, readAttributes, type Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { contentEnvelope } from '../shared/content-keys.ts'
import { type Override, overrideList, overridesBody, storeOverrides, withChanges } from '../shared/overrides.ts'
import { recordHostChange } from './content-host.ts'
import { listContentsOfHost } from './product-content.ts'
import { OVERRIDES_BY_SEARCH, readRequestedChanges, withParameterName } from './requested-overrides.ts'

const TABLE = 'host_content_overrides'
const OWN = 'host_id'

/**
 * `PUT /api/hosts/:id/subscriptions/content_override` (content-api §4.1): sets overrides by label, or enables or
 * disables all contents that a search finds. Answers all contents of the host.
 */
export const hostContentOverride: Action = {
  method: 'PUT',
  path: '/:id/subscriptions/content_override',
  name: 'content_override',
  summary: 'Override properties of contents for a host',
  permissions: ['edit_hosts'],
  body: z.object({
    content_overrides: overridesBody.optional(),
    content_overrides_search: OVERRIDES_BY_SEARCH.optional().meta({
      description: 'Overrides by a search of contents.',
    }),
  }),
  output: contentEnvelope,
  record: { how: 'locked' },
  handle: changeOverrides,
}

async function changeOverrides(tx: Context, resource: Resource, input: Input, host: Stored): Promise<Answer> {
  const sent = { ...readAttributes(resource, input.body), ...input.body }
  const { id, name, organization_id: organization } = host
  if (typeof organization !== 'number') throw invalid({ organization_id: ["can't be blank"] }, id)
  const changes = await withParameterName(() => readRequestedChanges(tx, resource, organization, sent))
  const before = await overridesOf(tx, id)
  const after = withChanges(before, changes)
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await storeOverrides(tx, TABLE, OWN, id, sql`${organization}::bigint`, after)
    await recordHostChange(tx, resource, { id, name: String(name) }, { content_overrides: [before, after] })
  }
  const everything = { content_access_mode_all: 'true', full_result: 'true' }
  return listContentsOfHost(tx, resource, { ...input, query: everything }, id)
}

async function overridesOf(tx: Context, host: number): Promise<readonly Override[]> {
  const found = await row<{ overrides: Override[] }>(
    tx.db,
    sql`select ${overrideList(TABLE, OWN, 'Its overrides.').sql('t')} as overrides from hosts t where t.id = ${host}`,
  )
  return found?.overrides ?? []
}
