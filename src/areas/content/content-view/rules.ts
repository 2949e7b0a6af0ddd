import type { Context } from '../../../context.ts'
import type { FieldErrors } from '../../../errors.ts'
import type { Draft, Registry, Rule, WriteWrapper } from '../../../kernel/index.ts'
import { refuseDefault } from '../content-view-version/refusals.ts'
import { refuseVersions, type Whole } from './components.ts'
import type { ContentViewFields } from './fields.ts'
import { requireParts } from './parts.ts'

/** Validates the kind of a view: it cannot be changed, and decides what the view can have (content-api §8.3). */
export const validateContentViewKind: Rule<ContentViewFields> = (
  record,
  draft,
  _ctx,
  stored,
): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  for (const field of ['composite', 'label'] as const)
    if (stored && draft[field] !== undefined && draft[field] !== stored[field]) errors[field] = ['cannot be changed.']
  if (record.auto_publish && !record.composite)
    errors.auto_publish = ['cannot be set for a content view that is not composite']
  if (record.import_only && record.composite) errors.import_only = ['cannot be set for a composite content view']
  if (record.composite && draft.repositories?.length)
    errors.repository_ids = ['cannot be set for a composite content view']
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Refuses to change the default view, and contents of other organizations or invisible to the caller. */
export const contentViewWrites: WriteWrapper<ContentViewFields> = {
  async create(ctx, draft, next, { registry }) {
    const composite = draft.composite === true
    await refuseContents(ctx, registry, draft, { id: null, organization: draft.organization ?? null, composite })
    return next(draft)
  },
  async update(ctx, stored, draft, next, { registry }) {
    refuseDefault(stored)
    const { id, composite } = stored
    const whole = { id, organization: stored.organization_id, composite }
    await refuseContents(ctx, registry, draft, whole, stored)
    await next(draft)
  },
}

/** Refuses new repositories and components that the view may not have; present ones may stay, whoever writes. */
async function refuseContents(
  ctx: Context,
  registry: Registry,
  { repositories = [], components = [] }: Draft<ContentViewFields>,
  whole: Whole,
  stored: Draft<ContentViewFields> = {},
): Promise<void> {
  const [newRepositories, newVersions] = [
    findAdded(repositories, stored.repositories),
    findAdded(components, stored.components),
  ]
  await requireParts(ctx, registry, 'repository', newRepositories, whole.organization)
  await requireParts(ctx, registry, 'content_view_version', newVersions, whole.organization)
  await refuseVersions(ctx, whole, components)
}

function findAdded(wanted: readonly number[], before: readonly number[] = []): number[] {
  const had = new Set(before)
  return wanted.filter((id) => !had.has(id))
}
