import type { Field } from '../../../kernel/index.ts'

/** Restricts a field of links to its ids, whose targets need not exist: whoever writes the record looks at them. */
export function byIds<F extends Field>(field: F, key: string): F {
  return {
    ...field,
    writable: (at) => Object.fromEntries(Object.entries(field.writable(at)).filter(([name]) => name === key)),
    read: async (ctx, at, sent) => field.read?.(ctx, at, sent, []),
  }
}
