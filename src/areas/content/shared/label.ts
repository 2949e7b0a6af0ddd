import type { Field, Rule } from '../../../kernel/definition.ts'
import { text } from '../../../kernel/fields/index.ts'
import { readText } from '../../../values.ts'

const LABEL = /^[A-Za-z0-9_-]+$/

const NOT_LABEL = "cannot contain characters other than ascii alpha numerals, '_', '-'."

export interface LabelOptions {
  readonly taken?: string
  readonly among: string
  /** Changes may say anything about it, which is not read; see `validateNewLabel`. */
  readonly unread?: 'in changes'
}

/** What programs call a record below `/content/api`: given on create, or made from the name, and never changed after that. */
export function contentLabel(options: LabelOptions): Field<string | null> {
  const field = text({
    max: 128,
    ...(!options.unread && { pattern: { regexp: LABEL, message: NOT_LABEL } }),
    search: 'explicit',
    doc: `What programs call it, unique ${options.among}. Made from the name where a new record has none; never changes.`,
    ...(options.taken !== undefined && { taken: options.taken }),
  })
  return {
    ...field,
    // The database makes one where none or a blank one is sent.
    read: async (_ctx, { name }, sent) => readText(sent, name) || undefined,
  }
}

/** What the label of a new record must be, where changes may have any. */
export const validateNewLabel: Rule = (_record, { label }, _ctx, stored) =>
  !stored && typeof label === 'string' && !LABEL.test(label) ? { label: [NOT_LABEL] } : undefined

/** Refuses another label than the one that a record has. */
export const validateKeptLabel: Rule = (_record, { label }, _ctx, stored) =>
  stored && label !== undefined && label !== stored.label ? { label: ['cannot be changed.'] } : undefined
