import { takeContentViewVersion } from '../areas/content/index.ts'
import type { Context } from '../context.ts'
import { createRecord, lock, type Resource, removeStored, updateStored } from '../kernel/index.ts'
import { readNumber, readNumbers, readText } from '../lib/values.ts'
import type { Body } from './adapt.ts'

/** How records are written that requests cannot create. */
export interface ByHand {
  readonly create?: (ctx: Context, resource: Resource, body: Body) => Promise<number>
  readonly update?: (ctx: Context, resource: Resource, id: number, body: Body) => Promise<void>
  readonly remove?: (ctx: Context, resource: Resource, id: number) => Promise<void>
}

/** Parameters of classes come with their classes, versions of views from publishing, and components with their view. */
export const BY_HAND: Readonly<Record<string, ByHand>> = {
  // Their own deletions are tasks, which may be done later.
  product: { remove: removeAtOnce },
  content_view: { remove: removeAtOnce },
  smart_class_parameter: {
    create: (ctx, resource, { parameter, configclass_id, environment_ids, ...values }) => {
      const told = Object.fromEntries(TOLD_BY_CLASSES.filter((key) => key in values).map((key) => [key, values[key]]))
      const links = { configclass: configclass_id, environments: environment_ids }
      return createRecord(ctx, resource, { ...told, parameter, ...links })
    },
    remove: removeAtOnce,
  },
  content_view_component: {
    create: (ctx, resource, { composite_content_view_id, content_view_id, content_view_version_id = null, latest }) =>
      createRecord(ctx, resource, {
        composite_content_view: composite_content_view_id,
        content_view: content_view_id,
        content_view_version: content_view_version_id,
        latest,
      }),
    update: async (ctx, resource, id, body) =>
      updateStored(ctx, resource, await lock(ctx, resource, id), {
        ...('latest' in body && { latest: body.latest }),
        ...('content_view_version_id' in body && { content_view_version: body.content_view_version_id }),
      }),
    remove: removeAtOnce,
  },
  content_view_version: {
    create: (ctx, { registry }, body) =>
      takeContentViewVersion.create(ctx, registry, {
        view: readNumber(body, 'content_view_id') ?? 0,
        major: readNumber(body, 'major') ?? 1,
        minor: readNumber(body, 'minor') ?? 0,
        description: readText(body, 'description') ?? null,
        environments: readNumbers(body, 'environment_ids') ?? [],
      }),
    update: (ctx, { registry }, id, body) =>
      takeContentViewVersion.promote(ctx, registry, id, readNumbers(body, 'environment_ids') ?? []),
    remove: (ctx, { registry }, id) => takeContentViewVersion.remove(ctx, registry, id),
  },
}

async function removeAtOnce(ctx: Context, resource: Resource, id: number): Promise<void> {
  await removeStored(ctx, resource, await lock(ctx, resource, id))
}

/** What a class says of its parameter: it cannot be edited where its value is not managed. */
const TOLD_BY_CLASSES = ['default_value', 'parameter_type', 'hidden_value', 'omit']
