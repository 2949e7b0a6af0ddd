import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Around, Rule } from '../../../kernel/index.ts'
import { refuseDefault } from '../content-view/refusals.ts'
import type { FilterFields } from './fields.ts'
import { loadFilteredView, requireRepositoriesOf } from './repositories.ts'

/** Validates filters: type and view cannot be changed, and some keys are for one type only. */
export const validateFilter: Rule<FilterFields> = (record, draft, _ctx, stored): FieldErrors | undefined => {
  const errors: FieldErrors = {}
  if (stored && draft.type !== undefined && draft.type !== stored.type) errors.type = ['cannot be changed.']
  if (stored && draft.content_view !== undefined && draft.content_view !== stored.content_view_id)
    errors.content_view_id = ['cannot be changed.']
  for (const [key, type] of ONLY)
    if (record[key] === true && record.type !== type) errors[key] = [`can be set for filters of type '${type}' only`]
  return Object.keys(errors).length > 0 ? errors : undefined
}

const ONLY = [
  ['original_packages', 'rpm'],
  ['original_module_streams', 'modulemd'],
] as const

/**
 * Refuses filters of composite and default views, and repositories that the view does not have; repositories that the
 * filter has already may stay.
 */
export const filterWrites: Around<FilterFields> = {
  async create(tx, draft, next, { registry }) {
    const view = await loadFilteredView(tx, draft.content_view)
    refuseDefault({ id: view.id, default: view.default })
    if (view.composite) throw invalid({ content_view_id: ['is a composite content view, which has no filters'] })
    await requireRepositoriesOf(tx, registry, view, draft.repositories ?? [], null)
    return next(draft)
  },
  async update(tx, stored, draft, next, { registry }) {
    const had = new Set(stored.repositories)
    const added = (draft.repositories ?? []).filter((id) => !had.has(id))
    if (added.length > 0) {
      const view = await loadFilteredView(tx, stored.content_view_id)
      await requireRepositoriesOf(tx, registry, view, added, stored.id)
    }
    await next(draft)
  },
}
