import { isBlank } from './blank.ts'
import { SearchError } from './error.ts'
import { parse } from './parse.ts'
import type { Query } from './query.ts'

/**
 * Refuses a search that decides something and contains a blank value: `name ~ ""` is what a search with an unset variable
 * becomes, and it matches everything. {@throws SearchError} with the position
 */
export function requireValues(text: string): void {
  refuse(text, ({ kind }) => kind === 'word' || kind === 'compare')
}

/** Refuses free text that is blank, because it matches every name. {@throws SearchError} */
export function requireWords(text: string): void {
  refuse(text, (condition) => condition.kind === 'word' || (condition.kind === 'compare' && condition.field === null))
}

function refuse(text: string, demanded: (condition: Query) => boolean): void {
  for (const [condition, position] of parse(text).positions) {
    if ('value' in condition && isBlank(condition.value) && demanded(condition))
      throw new SearchError('A value of nothing but blanks says nothing: null? finds what has no value', position)
  }
}
