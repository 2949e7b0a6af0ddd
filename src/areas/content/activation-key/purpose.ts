import { type Field, text } from '../../../kernel/index.ts'
import { readText } from '../../../values.ts'

/** A field of free text for system purpose, with a shorter name in searches (content-api §2.9, spec 4.6). */
export function purpose(search: string, doc: string): Field<string | null> {
  const field = text({ doc })
  return {
    ...field,
    search: ({ name }) => [{ name: search, type: 'text', column: name, nullable: true }],
    read: async (_ctx, { name }, sent) => (sent[name] === '' ? null : readText(sent, name)),
  }
}
