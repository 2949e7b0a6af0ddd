import type { Type } from './cast.ts'
import type { ValidatorRule } from './validate.ts'
import type { Value } from './values.ts'

/** A stored value for the hosts that match. */
export interface Matcher {
  readonly id: number
  /** The stored match text, e.g. `os=Debian 12.4,domain=lab.test`. */
  readonly match: string
  readonly value: Value
  /** A host that matches gets no value at all. */
  readonly omit: boolean
}

/** A class parameter that the service manages, as it is stored, with its matchers (spec 2.8). */
export interface Parameter {
  readonly id: number
  readonly name: string
  readonly classId: number
  readonly className: string
  readonly type: Type | null
  readonly defaultValue: Value
  readonly omit: boolean
  readonly required: boolean
  readonly mergeOverrides: boolean
  readonly mergeDefault: boolean
  readonly avoidDuplicates: boolean
  /** The order in effect: the parameter's own, or that of the settings. */
  readonly order: string
  readonly validator: ValidatorRule | null
  readonly matchers: readonly Matcher[]
  /** Its values are shown only to those who may edit it. */
  readonly hidden?: boolean
}
