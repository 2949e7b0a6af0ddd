import { text } from '../../kernel/fields/index.ts'
import type { Field, Fields, Rule } from '../../kernel/resource.ts'

const LABEL = /^[A-Za-z0-9_-]+$/

/** What programs call a record below `/content/api`: given on create, or made from the name, and never changed after that. */
export function contentLabel(options: { readonly taken?: string; readonly among: string }): Field<string | null> {
  const field = text({
    max: 128,
    pattern: { regexp: LABEL, message: "cannot contain characters other than ascii alpha numerals, '_', '-'." },
    search: 'explicit',
    doc: `What programs call it, unique ${options.among}. Made from the name where a new record has none; never changes.`,
    ...(options.taken !== undefined && { taken: options.taken }),
  })
  return {
    ...field,
    // The database makes one where none or a blank one is sent.
    read: async (_ctx, { name }, sent) => (sent[name] as string | null | undefined) || undefined,
  }
}

/** Refuses another label than the one that a record has. */
export const keepsLabel: Rule<Fields> = (_record, { label }, _ctx, stored) =>
  stored && label !== undefined && label !== stored.label ? { label: ['cannot be changed.'] } : undefined
