import { isExactNumber } from '../lib/lossless-json.ts'
import type { Members } from '../lib/values.ts'
import { computeId, type Listed, type ListedRemark } from './listed-records.ts'

/** Texts with variables, as manifests and data write them. */
const COMPUTED = /\$\{|\$(?:::)?[a-z_]|%\{/i

/** Why a value cannot be taken as it is; null if it can. `computed` finds texts with variables. */
export function findUntakable(value: unknown, computed = COMPUTED): string | null {
  if (value === null || value === undefined) return 'it has no value'
  if (isExactNumber(value)) return isKept(value) ? null : 'it is a number of too many digits'
  if (Array.isArray(value) || typeof value === 'object') {
    const inner = Object.entries(value).flatMap(([key, one]) => [
      findUntakable(key, computed),
      one === null ? null : findUntakable(one, computed),
    ])
    return inner.find((reason) => reason !== null) ?? null
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'it is a number of too many digits'
  if (typeof value !== 'string') return null
  if (computed.test(value)) return 'its value is computed from variables (interpolation)'
  if (/<%/.test(value)) return 'its value would be read as a template here (<%)'
  if (/ENC\[/.test(value)) return 'its value is encrypted (eyaml)'
  return null
}

/** Whether a plain number has all digits of an exact one. */
function isKept(exact: unknown): boolean {
  const source = JSON.stringify(exact)
  return readDigits(source) === readDigits(String(Number(source)))
}

function readDigits(number: string): string {
  return number
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
}

/** Computes the type of a parameter from a value. */
export function computeType(value: unknown): string {
  if (isExactNumber(value))
    return Number.isInteger(Number(JSON.stringify(value))) && !/[.e]/i.test(JSON.stringify(value)) ? 'integer' : 'real'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'hash'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

/** A value of a class parameter for the hosts that a matcher names. */
export interface ClassValue {
  readonly classname: string
  readonly parameter: string
  readonly match: string
  readonly value: unknown
}

/** A class parameter, without the values of its matchers. */
interface ClassParameter extends Pick<ClassValue, 'classname' | 'parameter'> {
  /** All its values, which say its type. */
  readonly values: readonly unknown[]
  /** Further keys of the record. */
  readonly members: Members
}

/** Collects classes, their parameters and values. */
export interface ClassValues {
  /** Adds a class to an environment; yields its id. */
  readonly addClass: (name: string, environment: string | null) => number
  readonly addValue: (value: ClassValue) => void
  /** Describes a parameter, which may also have values of matchers. */
  readonly addParameter: (parameter: ClassParameter) => void
  readonly addEnvironment: (name: string) => number
  readonly addRemark: (remark: Omit<ListedRemark, 'fix'> & { readonly fix?: string }) => void
  /** Yields everything that was collected. */
  readonly toListed: () => Listed
  readonly records: { hostgroups: ListedRecord[]; hosts: ListedRecord[] }
}

type ListedRecord = Members & { readonly id: number }

const FIX = 'Enter it here by hand if it is needed.'

/** Creates an empty collection. */
export function createClassValues(): ClassValues {
  const environments = new Map<string, number>()
  const classes = new Map<string, Set<number>>()
  const values = new Map<string, ClassValue>()
  const parameters = new Map<string, ClassParameter>()
  const remarks: ListedRemark[] = []
  const records: ClassValues['records'] = { hostgroups: [], hosts: [] }
  const addEnvironment = (name: string) => {
    const id = computeId('environment', name)
    environments.set(name, id)
    return id
  }
  return {
    records,
    addEnvironment,
    addClass: (name, environment) => {
      const known = classes.get(name) ?? new Set()
      classes.set(name, known)
      if (environment !== null) known.add(addEnvironment(environment))
      return computeId('configclass', name)
    },
    addValue: (value) => values.set(JSON.stringify([value.classname, value.parameter, value.match]), value),
    addParameter: (one) => parameters.set(nameOf(one), one),
    addRemark: (remark) => remarks.push({ fix: FIX, ...remark }),
    toListed: () => ({
      records: {
        ...records,
        environments: [...environments].map(([name, id]) => ({ id, name })),
        configclasses: [...classes].map(([name, ids]) => ({
          id: computeId('configclass', name),
          name,
          environment_ids: [...ids],
        })),
        smart_class_parameters: listParameters([...values.values()], parameters, classes),
        override_values: [...values.values()].map(toOverride),
      },
      remarks: [...remarks],
    }),
  }
}

function nameOf({ classname, parameter }: Pick<ClassValue, 'classname' | 'parameter'>): string {
  return JSON.stringify([classname, parameter])
}

function listParameters(
  values: readonly ClassValue[],
  described: ReadonlyMap<string, ClassParameter>,
  classes: ReadonlyMap<string, ReadonlySet<number>>,
) {
  const matched = [...Map.groupBy(values, nameOf)].flatMap(([name, all]): [string, ClassParameter][] => {
    const [first] = all
    // Hosts without a value keep the default of the class.
    return first ? [[name, { ...first, values: all.map(({ value }) => value), members: { omit: true } }]] : []
  })
  return [...new Map([...matched, ...described]).values()].map(({ classname, parameter, values: all, members }) => {
    const types = new Set(all.map(computeType))
    return {
      id: computeId('smart_class_parameter', classname, parameter),
      parameter,
      configclass_id: computeId('configclass', classname),
      environments: [...(classes.get(classname) ?? [])].map((id) => ({ id })),
      override: true,
      // Values of several types stay as they are.
      ...(types.size === 1 && { parameter_type: [...types][0] }),
      ...members,
    }
  })
}

function toOverride({ classname, parameter, match, value }: ClassValue) {
  return {
    id: computeId('override_value', classname, parameter, match),
    smart_class_parameter_id: computeId('smart_class_parameter', classname, parameter),
    match,
    value,
  }
}
