import { type Field, text } from '../../../kernel/index.ts'
import { BLANK } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'
import { compile, TemplateError } from '../../../templates/index.ts'
import { UNSUPPORTED_FUNCTIONS } from '../../../words/template-names.ts'

/** The most characters of a provisioning template. */
export const MAX_TEMPLATE = 200_000

/** A field of template text: blanks are kept, ends of lines are those of Unix, and text with malformed tags is refused with the line. */
export function source(options: {
  readonly doc: string
  /** Maximum in characters; at most half a million, the limit of the interpreter. */
  readonly max: number
  readonly search?: 'free' | 'explicit'
  /** Functions that such templates cannot call, with the reason; default: those of templates of hosts. */
  readonly refused?: Readonly<Record<string, string>>
}): Field<string | null> {
  const { refused = UNSUPPORTED_FUNCTIONS, ...facts } = options
  const field = text({ ...facts, required: true })
  return {
    ...field,
    writable: (at) => {
      const own = field.writable(at)[at.name]
      if (!own) return {}
      const { coerce: _trimming, ...untouched } = own
      return {
        [at.name]: {
          ...untouched,
          language: 'template',
          coerce: (sent: unknown) =>
            typeof sent === 'number' ? String(sent) : typeof sent === 'string' ? sent.replaceAll('\r', '') : sent,
          schema: () =>
            own.schema().superRefine((value, issues) => {
              const problem =
                typeof value === 'string' && [...value].length <= options.max ? problemOf(value, refused) : null
              if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
            }),
        },
      }
    },
  }
}

/** The message about the first error in the tags of a template, with its line; null without an error. */
function problemOf(template: string, refusals: Readonly<Record<string, string>>): string | null {
  if (template !== '' && isBlank(template)) return BLANK
  try {
    const { calls } = compile(template)
    const [refused] = [...calls].filter(([name]) => Object.hasOwn(refusals, name))
    if (refused === undefined) return null
    const [name, line] = refused
    return `cannot be understood: line ${line}: ${name} is not offered: ${refusals[name]}`
  } catch (error) {
    if (error instanceof TemplateError) return `cannot be understood: ${error.message}`
    throw error
  }
}
