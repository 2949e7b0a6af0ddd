import { type Field, type Required, text } from '../kernel/index.ts'
import type { Language } from '../requests/languages.ts'
import { withWritable } from './coerced.ts'

type Options = Parameters<typeof text>[0]

/** A field of text in a language: malformed text is refused when it is written. Blank text is not looked at. */
export function textIn(language: Language, options: Options & Required): Field<string> & Required
export function textIn(language: Language, options: Options): Field<string | null>
export function textIn({ name, findProblem }: Language, options: Options): Field<string | null> {
  return withWritable(text(options), ({ schema }) => ({
    language: name,
    schema: () =>
      schema().superRefine((value, { issues, addIssue }) => {
        // What is too long, or no text at all, has a message already.
        const problem = typeof value !== 'string' || value === '' || issues.length > 0 ? null : findProblem(value)
        if (problem !== null) addIssue({ code: 'custom', message: problem })
      }),
  }))
}
