import type { Field, Sent } from '../../../kernel/index.ts'

/** Lets requests send a field under other names, too; its own name goes first. */
export function withAliases<F extends Field>(field: F, ...names: readonly string[]): F {
  return {
    ...field,
    writable: (at) => {
      const keys = field.writable(at)
      const own = keys[at.name]
      return own ? { ...keys, ...Object.fromEntries(names.map((name) => [name, own])) } : keys
    },
    read: async (ctx, at, sent, later) => {
      const used = [at.name, ...names].find((name) => sent[name] !== undefined)
      if (used === undefined) return undefined
      const renamed: Sent = { ...sent, [at.name]: sent[used] }
      return field.read ? field.read(ctx, at, renamed, later) : renamed[at.name]
    },
  }
}
