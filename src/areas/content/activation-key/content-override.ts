import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  type Field,
  type Resource,
  readAttributes,
  readBack,
  type Stored,
  updateStored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import {
  type Override,
  overrideList,
  overridesBody,
  readOverrideChanges,
  storeOverrides,
  withChanges,
} from '../shared/overrides.ts'
import type { keyOrganization } from './organization.ts'

const TABLE = 'activation_key_content_overrides'
const OWN = 'activation_key_id'

/** The field of the overrides of an activation key, which `contentOverride` writes; other requests cannot. */
export function contentOverrides(): Field<readonly Override[]> {
  const doc = 'Overrides of properties of contents, for its hosts.'
  const overrides = overrideList(TABLE, OWN, doc)
  return {
    kind: 'overrides',
    doc,
    writable: () => ({}),
    readable: ({ name }) => ({ [name]: overrides }),
    search: () => [],
    elsewhere: {
      sql: (_at, alias) => overrides.sql(alias),
      store: (ctx, _at, key, value) =>
        storeOverrides(
          ctx,
          TABLE,
          OWN,
          key,
          sql`(select k.organization_id from activation_keys k where k.id = ${key})`,
          value,
        ),
      auditedAs: ({ name }) => name,
      tables: () => [TABLE, 'contents'],
    },
  }
}

type Overridden = {
  readonly organization: ReturnType<typeof keyOrganization>
  readonly content_overrides: ReturnType<typeof contentOverrides>
}

/** Changes overrides of an activation key, all that are sent or none (spec 4.6, content-api §4.1). */
export const contentOverride: Action<Overridden> = {
  method: 'PUT',
  path: '/:id/content_override',
  name: 'content_override',
  summary: 'Override properties of contents for the hosts of an activation key',
  body: z.object({ content_overrides: overridesBody }),
  record: { how: 'locked' },
  handle: changeOverrides,
}

async function changeOverrides(
  tx: Context,
  resource: Resource,
  input: Input,
  key: Stored<Overridden>,
): Promise<Answer> {
  const { content_overrides: sent } = { ...readAttributes(resource, input.body), ...input.body }
  if (sent !== undefined && sent !== null) {
    const changes = await readOverrideChanges(tx, key.organization_id, sent)
    await updateStored(tx, resource, key, { content_overrides: withChanges(key.content_overrides, changes) })
  }
  return { status: 200, ...(input.reading !== null && { body: await readBack(tx, resource, key.id) }) }
}
