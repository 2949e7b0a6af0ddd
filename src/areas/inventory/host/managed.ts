import { boolean, type Field } from '../../../kernel/index.ts'

const DOC = 'Whether this service installs it; true for new hosts by default.'

/**
 * The field for whether this service installs the host. Null means false; `hostWrites` makes new hosts managed by
 * default.
 */
export function managed(): Field<boolean> {
  const field = boolean({ initial: false, search: 'free', doc: DOC })
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(Object.entries(field.writable(at)).map(([key, told]) => [key, { ...told, initial: true }])),
  }
}
