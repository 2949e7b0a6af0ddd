import type { Field } from '../../../kernel/definition.ts'
import { boolean } from '../../../kernel/fields/index.ts'

const DOC = 'Installed from here; a new host is unless it says no.'

/** Whether a host is installed from here: what is cleared is not, and a new one that says nothing is (`hostWrites`). */
export function managed(): Field<boolean> {
  const field = boolean({ initial: false, search: 'free', doc: DOC })
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(Object.entries(field.writable(at)).map(([key, told]) => [key, { ...told, initial: true }])),
  }
}
