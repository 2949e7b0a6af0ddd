import { type Field, type Rule, text } from '../../../kernel/index.ts'
import { readText } from '../../../lib/values.ts'

const LABEL = /^[A-Za-z0-9_-]+$/

const NOT_LABEL = "cannot contain characters other than ascii alpha numerals, '_', '-'."

/**
 * The differences between the labels of resources: the message for a duplicate, and the records among which a label is
 * unique.
 */
export interface LabelOptions {
  readonly taken?: string
  readonly among: string
  /** Updates ignore the label; see `validateNewLabel`. */
  readonly unread?: 'in changes'
}

/** The label of a record below `/content/api`: sent on create or made from the name, and then never changed. */
export function contentLabel(options: LabelOptions): Field<string | null> {
  const field = text({
    max: 128,
    ...(!options.unread && { pattern: { regexp: LABEL, message: NOT_LABEL } }),
    search: 'explicit',
    doc: `Label for programs, unique ${options.among}. Made from the name where a new record has none; never changes.`,
    ...(options.taken !== undefined && { taken: options.taken }),
  })
  return {
    ...field,
    // If no label or blank text is sent, the database makes a label.
    read: async (_ctx, { name }, sent) => readText(sent, name) || undefined,
  }
}

type Labelled = { readonly label: Field<string | null> }

/** Validates the label of a new record, for resources whose updates ignore it. */
export const validateNewLabel: Rule<Labelled> = (_record, { label }, _ctx, stored) =>
  !stored && label && !LABEL.test(label) ? { label: [NOT_LABEL] } : undefined

/** Refuses to change the label of a record. */
export const validateKeptLabel: Rule<Labelled> = (_record, { label }, _ctx, stored) =>
  stored && label !== undefined && label !== stored.label ? { label: ['cannot be changed.'] } : undefined
