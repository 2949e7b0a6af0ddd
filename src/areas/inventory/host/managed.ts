import { boolean, type Field } from '../../../kernel/index.ts'

const DOC = 'Installed from here; a new host is unless it says no.'

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
