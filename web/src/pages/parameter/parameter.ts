import type { Answered } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'
import type { FormValues } from '../../resources/form/values.ts'
import type { ApiRecord } from '../../resources/resources.ts'

/** A class parameter as the API shows it. */
export type Parameter = components['schemas']['SmartClassParameter']
export type Override = Parameter['override_values'][number]

/** Splits the order of a parameter into lines of attributes, best first. */
export function linesOf({ override_value_order }: Pick<Parameter, 'override_value_order'>): string[] {
  return String(override_value_order ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A matcher, and the line of the order that it belongs to; null where none does. */
interface Sorted {
  readonly override: Override
  readonly line: number | null
}

/** Sorts matchers by precedence; those without a line come last. */
export function sortOverrides({ override_values }: Parameter, lines: readonly string[]): readonly Sorted[] {
  const plain = lines.map((line) => line.replaceAll(' ', ''))
  const lineOf = ({ match }: Override) => {
    const attributes = match.split(',').map((part) => part.split('=', 1)[0]?.trim())
    const found = plain.indexOf(attributes.join(','))
    return found < 0 ? null : found
  }
  return override_values
    .map((override) => ({ override, line: lineOf(override) }))
    .toSorted((one, other) => (one.line ?? lines.length) - (other.line ?? lines.length))
}

/** A write that is previewed before it is made. */
export interface Change {
  readonly path: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** A description of the change for people. */
  readonly title: string
  /** For an existing record: its state when editing began. */
  readonly since?: Since
}

interface Since {
  /** The tag of the record; the change is refused when the record has another one by then. */
  readonly etag: string | null
  readonly before: FormValues
  readonly mine: FormValues
  /** Yields the values of an answer that are compared. */
  readonly valuesOf: (record: ApiRecord) => FormValues
  /** Continues with what somebody else has stored meanwhile. */
  readonly take: (theirs: Answered) => void
}
