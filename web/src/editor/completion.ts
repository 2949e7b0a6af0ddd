import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'

/** The names that the code of a template can use, as the service says them. */
export interface Names {
  readonly functions: readonly string[]
  readonly variables: readonly string[]
  /** What expressions such as `@host` offer. */
  readonly members: readonly { readonly of: string; readonly names: readonly string[] }[]
}

/** Loads the names once somebody writes in a tag; null where they cannot be loaded. */
export type LoadNames = () => Promise<Names | null>

/**
 * Offers names inside the tags of a template. Enter begins a new line unless one was chosen with the arrow keys, so that keys count
 * as soon as the names are shown.
 */
export function completeNames(load: LoadNames): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const known = isInTag(context) ? await load() : null
    return known && completeWord(context, known)
  }
  return autocompletion({ override: [complete], selectOnOpen: false, interactionDelay: 0, icons: false })
}

/** So far back a tag may have begun. */
const FAR = 10_000

function isInTag({ state, pos }: CompletionContext): boolean {
  const text = state.sliceDoc(Math.max(0, pos - FAR), pos)
  return text.lastIndexOf('<%') > text.lastIndexOf('%>')
}

function completeWord(context: CompletionContext, { functions, variables, members }: Names): CompletionResult | null {
  const word = context.matchBefore(/@?[\w.]+\??|@/)
  if (!word && !context.explicit) return null
  const text = word?.text ?? ''
  const point = text.lastIndexOf('.')
  const from = word ? word.from + point + 1 : context.pos
  const offered =
    point < 0
      ? [...variables.map(asOption('variable')), ...functions.map(asOption('function'))]
      : members.filter(({ of }) => of === text.slice(0, point)).flatMap((one) => one.names.map(asOption('property')))
  return offered.length === 0 ? null : { from, options: offered, validFor: /^@?\w*\??$/ }
}

function asOption(type: string): (label: string) => Completion {
  return (label) => ({ label, type })
}
