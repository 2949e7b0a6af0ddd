import { boolean, type Field } from '../../../kernel/index.ts'

const DOC = 'Whether this service installs it; true for new hosts by default.'

/**
 * A field that says whether the host is installed by this service. Null means false; `hostWrites` makes new hosts
 * managed unless the request says otherwise.
 */
export function managed(): Field<boolean> {
  const field = boolean({ initial: false, search: 'free', doc: DOC })
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(Object.entries(field.writable(at)).map(([key, told]) => [key, { ...told, initial: true }])),
  }
}
