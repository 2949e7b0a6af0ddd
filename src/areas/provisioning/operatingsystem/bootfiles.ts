import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { badParameter, parentNotFound } from '../../../errors.ts'
import {
  type Action,
  findResource,
  limitToVisible,
  permissionOf,
  type Resource,
  type Row,
  type Stored,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { bootOf } from '../rendering/boot.ts'

/** Lists the boot files of an operating system, with the names that templates use. */
export const bootfiles: Action = {
  method: 'GET',
  path: '/:id/bootfiles',
  name: 'bootfiles',
  summary: 'List the files that an operating system is booted with for its installation',
  permissions: ['view_operatingsystems'],
  query: {
    medium: z.string().optional().meta({ description: 'Id or name of the medium; required.' }),
    architecture: z.string().optional().meta({ description: 'Id or name of the architecture; required.' }),
  },
  output: z
    .array(z.record(z.string(), z.string()))
    .meta({ description: 'The files, each with its name on the boot server and its URL on the medium.' }),
  record: { how: 'found', keys: ['id', 'name', 'title', 'family', 'major', 'minor', 'release_name'] },
  handle: listFiles,
}

async function listFiles(ctx: Context, { registry }: Resource, { query }: Input, os: Stored): Promise<Answer> {
  const medium = await findNamed(ctx, findResource(registry, 'medium'), query, ['name', 'path'])
  const architecture = await findNamed(ctx, findResource(registry, 'architecture'), query, ['name'])
  const boot = bootOf({ operatingsystem: os, medium, architecture })
  const files = [...(boot?.urls ?? [])].flatMap(([kind, url]) => {
    const name = boot?.file(kind) ?? null
    return name === null ? [] : [{ [name]: url }]
  })
  return { status: 200, body: files }
}

/** Finds the record that a query parameter names. {@throws Failure} bad_parameter, parent_not_found */
async function findNamed(
  ctx: Context,
  resource: Resource,
  query: Input['query'],
  keys: readonly string[],
): Promise<Row> {
  const segment = readSingle(query, resource.name)
  if (segment === null) throw badParameter(resource.name, segment, `must be the id or the name of a ${resource.name}`)
  const seen = limitToVisible(ctx, resource, permissionOf(resource, 'view'))
  const found = await selectRecord(ctx.db, resource, keys, segment, seen)
  if (!found) throw parentNotFound(resource.name, segment)
  return found
}
