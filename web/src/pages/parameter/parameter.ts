import type { Answered } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'
import type { FormValues } from '../../resources/form/values.ts'
import type { ApiRecord } from '../../resources/resources.ts'

/** A parameter of a class as the API shows it. */
export type Parameter = components['schemas']['SmartClassParameter']
export type Override = Parameter['override_values'][number]

/** The attributes that matchers are looked for by, best first. */
export function linesOf({ override_value_order }: Pick<Parameter, 'override_value_order'>): string[] {
  return String(override_value_order ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A matcher, and the line of the order that finds it; null where none does. */
interface Sorted {
  readonly override: Override
  readonly line: number | null
}

/** Matchers in the order in which they are looked for; those that no line finds come last. */
export function sortedOverrides({ override_values }: Parameter, lines: readonly string[]): readonly Sorted[] {
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

/** A write that is looked at before it is made. */
export interface Change {
  readonly path: string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** What it is about, in words. */
  readonly title: string
  /** Of a record that was there before: what it was when somebody began to change it. */
  readonly since?: Since
}

interface Since {
  /** The change is made only while the record has this tag. */
  readonly etag: string | null
  readonly before: FormValues
  readonly mine: FormValues
  /** What of an answer is compared. */
  readonly valuesOf: (record: ApiRecord) => FormValues
  /** Goes on with what somebody else has stored meanwhile. */
  readonly take: (theirs: Answered) => void
}
