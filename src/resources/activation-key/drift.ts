import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { badParameter } from '../../errors.ts'
import { single } from '../../kernel/input.ts'
import { list } from '../../kernel/operations/list.ts'
import { contentListQuery, listQuery } from '../../kernel/paging.ts'
import type { Row } from '../../kernel/present.ts'
import type { Action, Registry, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { APPLIED, type AppliedField } from '../../registration/apply.ts'
import { contentList } from '../content/envelope.ts'
import { foundId } from '../content/found.ts'
import { narrowed } from '../content/narrowed.ts'
import { resourceOf } from '../fact/records.ts'
import { differencesOf, driftCondition, fieldsNamed, NOT_FIELDS } from './drift-differences.ts'
import { expectationsOf } from './drift-expected.ts'
import { withSeenKeys } from './drift-keys.ts'

const VALUE = z.json()

/** A host and in what it differs from its keys. */
export const DRIFTING = z.object({
  id: z.int().meta({ description: 'Id of the host.' }),
  name: z.string().meta({ description: 'Its name.' }),
  differences: z
    .array(
      z.object({
        field: z.enum(APPLIED).meta({ description: 'What differs.' }),
        host_value: VALUE.meta({ description: 'What the host has.' }),
        key_value: VALUE.meta({ description: 'What its keys would give it now.' }),
        key: z
          .object({
            id: z.int().nullable().meta({ description: 'Its id; null for a key that the caller may not view.' }),
            name: z.string().meta({ description: 'Its name; `another key` for such a one.' }),
          })
          .nullable()
          .meta({ description: 'The key that decides; null where the value is of several keys.' }),
      }),
    )
    .meta({ description: 'What differs.' }),
})

/**
 * `GET /activation_keys/:id/drift`: hosts registered with the key that have something else than all of their keys, in
 * their order, would give them now. Keys act at registration only (content-api §5.3): this shows what became of it.
 */
export const drift: Action = {
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
  output: contentList(DRIFTING, 'A page of hosts that differ from their activation keys.'),
  handle: listDrift,
}

async function listDrift(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const fields = fieldsAsked(input)
  const key = await keyOf(ctx, await foundId(ctx, resource, input, 'view_activation_keys'))
  const expectations = await expectationsOf(ctx, key)
  const hosts = narrowed(listable(resource.registry), [driftCondition(key.id, expectations, fields)])
  const answer = await list(ctx, hosts, input)
  const { results, ...page } = answer.body as { readonly results: readonly Row[] } // what lists answer
  const ids = results.map(({ id }) => id as number) // every id is a number
  const found = await differencesOf(ctx, key.id, expectations, fields, ids)
  const seen = await withSeenKeys(ctx, resource, found)
  const byId = new Map(seen.map((one) => [one.id, one.differences]))
  const shown = results.map(({ id, name }) => ({ id, name, differences: byId.get(id as number) ?? [] }))
  return { ...answer, body: { ...page, results: shown } }
}

/** {@throws Failure} bad_parameter */
function fieldsAsked({ query }: Input): readonly AppliedField[] {
  const sent = single(query, 'fields')
  const words = sent === null || sent === '' ? null : sent.split(',').map((word) => word.trim())
  const fields = fieldsNamed(words)
  if (!fields) throw badParameter('fields', sent, NOT_FIELDS)
  return fields
}

/** A key as drift needs to know it. */
export interface KeyOfHosts {
  readonly id: number
  readonly name: string
  readonly organization: number
}

/** The key with this id, which the caller has found. */
export async function keyOf(ctx: Context, id: number): Promise<KeyOfHosts> {
  const found = await row<KeyOfHosts>(
    ctx.db,
    sql`select id, name, organization_id as organization from activation_keys where id = ${id}`,
  )
  if (!found) throw new Error(`there is no activation key ${id}`)
  return found
}

/** Hosts as lists below `/content/api` show them: by id and name. */
function listable(registry: Registry): Resource {
  const { shown: _shown, ...hosts } = resourceOf(registry, 'host')
  return { ...hosts, surface: 'content', parents: {}, views: { list: ['id', 'name'], show: ['id', 'name'] } }
}
