import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { badParameter } from '../../../errors.ts'
import {
  type Action,
  type Field,
  findResource,
  type Link,
  list,
  type Resource,
  type Stored,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { contentListQuery, listQuery } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { APPLIED, type AppliedField } from '../../registration/index.ts'
import { buildListSchema } from '../shared/envelope.ts'
import { limitToDrifting, loadDifferences, NOT_FIELDS, readAppliedFields } from './drift-differences.ts'
import { loadExpectations } from './drift-expected.ts'
import { withVisibleKeys } from './drift-keys.ts'

/** The fields of a key that are needed to compare its hosts. */
export const KEY_OF_HOSTS = ['id', 'name', 'organization_id']

const VALUE = z.json()

/** The schema of a host and its differences from its keys. */
export const DRIFTING = z.object({
  id: z.int().meta({ description: 'Id of the host.' }),
  name: z.string().meta({ description: 'Its name.' }),
  differences: z
    .array(
      z.object({
        field: z.enum(APPLIED).meta({ description: 'Differences between the host and its keys.' }),
        host_value: VALUE.meta({ description: 'Value of the host.' }),
        key_value: VALUE.meta({ description: 'Value that its activation keys would give it now.' }),
        key: z
          .object({
            id: z.int().nullable().meta({ description: 'Its id; null for a key that the caller may not view.' }),
            name: z.string().meta({ description: 'Its name; `another key` for such a one.' }),
          })
          .nullable()
          .meta({ description: 'The key that decides; null where the value is of several keys.' }),
      }),
    )
    .meta({ description: 'Differences between the host and its keys.' }),
})

/**
 * `GET /activation_keys/:id/drift`: lists hosts of the key that differ from what all their keys, in order, would give
 * them now. Keys have an effect at registration only (content-api §5.3), so that hosts and keys may drift apart.
 */
export const drift: Action<KeyColumns> = {
  method: 'GET',
  path: '/:id/drift',
  name: 'drift',
  summary: 'List hosts that differ from what their activation keys give now',
  permissions: ['view_activation_keys'],
  query: {
    ...listQuery,
    ...contentListQuery,
    fields: z
      .string()
      .optional()
      .meta({ description: `Only differences in these, separated by commas: ${APPLIED.join(', ')}.` }),
  },
  output: buildListSchema(DRIFTING, 'A page of hosts that differ from their activation keys.'),
  record: { how: 'found', keys: KEY_OF_HOSTS },
  handle: listDrift,
}

async function listDrift(ctx: Context, resource: Resource, input: Input, found: Stored<KeyColumns>): Promise<Answer> {
  const fields = readFields(input)
  const key = loadKeyOfHosts(found)
  const expectations = await loadExpectations(ctx, key)
  const drifting = limitToDrifting(key.id, expectations, fields)
  const answer = await list(ctx, findResource(resource.registry, 'host'), input, [drifting], {
    parents: 'unread',
    keys: ['id', 'name'],
    surface: 'content',
  })
  const { results, ...page } = answer.body
  const ids = results.map(idOf)
  const differences = await loadDifferences(ctx, key.id, expectations, fields, ids)
  const seen = await withVisibleKeys(ctx, resource, differences)
  const byId = new Map(seen.map((one) => [one.id, one.differences]))
  const shown = results.map((key) => ({ id: key.id, name: key.name, differences: byId.get(idOf(key)) ?? [] }))
  return { ...answer, body: { ...page, results: shown } }
}

/** Reads the fields that the query asks for, separated by commas. {@throws Failure} bad_parameter for unknown ones */
function readFields({ query }: Input): readonly AppliedField[] {
  const sent = readSingle(query, 'fields')
  const words = sent === null || sent === '' ? null : sent.split(',').map((word) => word.trim())
  const fields = readAppliedFields(words)
  if (!fields) throw badParameter('fields', sent, NOT_FIELDS)
  return fields
}

/** An activation key as comparisons with its hosts need it; `organization` is an id. */
export interface KeyOfHosts {
  readonly id: number
  readonly name: string
  readonly organization: number
}

/** The columns of a key that say which hosts are its own. */
export type KeyColumns = { readonly name: Field<string>; readonly organization: Field<number> & Link }

/** Takes from a stored key what comparisons with its hosts need. */
export function loadKeyOfHosts({ id, name, organization_id }: Stored<KeyColumns>): KeyOfHosts {
  return { id, name, organization: organization_id }
}
