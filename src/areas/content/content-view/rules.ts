import type { Context } from '../../../context.ts'
import type { FieldErrors } from '../../../errors.ts'
import type { Around, Draft, Registry, Rule } from '../../../kernel/index.ts'
import { refuseVersions, type Whole } from './components.ts'
import { requireParts } from './parts.ts'
import { refuseDefault } from './refusals.ts'

/** Validates the kind of a view: it cannot be changed, and decides what the view can have (content-api §8.3). */
export const validateContentViewKind: Rule = (record, draft, _ctx, stored): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  for (const field of ['composite', 'label'] as const)
    if (stored && draft[field] !== undefined && draft[field] !== stored[field]) errors[field] = ['cannot be changed.']
  if (record.auto_publish && !record.composite)
    errors.auto_publish = ['cannot be set for a content view that is not composite']
  if (record.import_only && record.composite) errors.import_only = ['cannot be set for a composite content view']
  if (record.composite && count(draft.repositories) > 0)
    errors.repository_ids = ['cannot be set for a composite content view']
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Refuses to change the default view, and contents of other organizations or invisible to the caller. */
export const contentViewWrites: Around = {
  async create(ctx, draft, next, { registry }) {
    const composite = draft.composite === true
    await refuseContents(ctx, registry, draft, { id: null, organization: Number(draft.organization), composite })
    return next(draft)
  },
  async update(ctx, stored, draft, next, { registry }) {
    refuseDefault(stored)
    const { id, composite } = stored
    const whole = { id, organization: Number(stored.organization_id), composite: composite === true }
    await refuseContents(ctx, registry, draft, whole, stored)
    await next(draft)
  },
}

/** Refuses new repositories and components that the view may not have; present ones may stay, whoever writes. */
async function refuseContents(
  ctx: Context,
  registry: Registry,
  { repositories, components }: Draft,
  whole: Whole,
  stored: Draft = {},
): Promise<void> {
  const versions = toIds(components)
  const [newRepositories, newVersions] = [
    findAdded(repositories, stored.repositories),
    findAdded(versions, stored.components),
  ]
  await requireParts(ctx, registry, 'repository', newRepositories, whole.organization)
  await requireParts(ctx, registry, 'content_view_version', newVersions, whole.organization)
  await refuseVersions(ctx, whole, versions)
}

function findAdded(wanted: unknown, before: unknown): number[] {
  const had = new Set(toIds(before))
  return toIds(wanted).filter((id) => !had.has(id))
}

function toIds(value: unknown): readonly number[] {
  return (value ?? []) as readonly number[] // as both fields read it
}

function count(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
