import type { Field } from '../kernel/index.ts'

/** Declares the column of the encrypted value of a hidden record, which only the storing and reading of rows knows (encryption/hidden-values.ts). */
export function sealedValue(): Field<string | null> {
  return {
    kind: 'secret',
    doc: 'The value while it is hidden, encrypted.',
    secret: { sentTo: [], encrypted: true },
    writable: () => ({}),
    readable: () => ({}),
    search: () => [],
    column: ({ name }) => ({ name, type: 'text', nullable: true }),
  }
}
