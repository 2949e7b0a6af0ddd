import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readJson } from '../../../classification/json.ts'
import { identityOf, isList, isMap, Unfit, type Value } from '../../../classification/values.ts'

/** A class as a source has it. */
export interface DeliveredClass {
  readonly name: string
  readonly parameters: readonly DeliveredParameter[]
}

export interface DeliveredParameter {
  readonly name: string
  /** The default value; null where there is none, or one that cannot be kept. */
  readonly value: Value
  /** The class declares that it is not to be shown. */
  readonly sensitive: boolean
}

/** What a source has of one environment. */
export interface Delivered {
  readonly classes: readonly DeliveredClass[]
  /** Files that could not be read there: what they hold is not known, so that no class is taken for removed. */
  readonly unreadable: readonly string[]
}

/** One file as servers of the engine describe it (smart-parameters §6.3, §9.3.3). */
export const FILE = z.union([
  z.object({ path: z.string(), error: z.string() }),
  z.object({
    path: z.string(),
    classes: z.array(
      z.object({
        name: z.string(),
        params: z.array(
          z.object({
            name: z.string(),
            type: z.string().nullish(),
            default_literal: z.unknown().optional(),
            default_source: z.string().nullish(),
          }),
        ),
      }),
    ),
  }),
])

/** Collects what the files of an environment say, one after the other. */
export function collectFiles(files: Iterable<z.infer<typeof FILE>>): Delivered {
  const classes: DeliveredClass[] = []
  const unreadable: string[] = []
  for (const file of files) {
    if ('error' in file) unreadable.push(storable(file.path))
    else classes.push(...file.classes.map(({ name, params }) => ({ name, parameters: params.map(described) })))
  }
  return normalizeDelivered(classes, unreadable)
}

/** Classes by name, each once, in order, as far as they have names that can be kept. */
export function normalizeDelivered(classes: readonly DeliveredClass[], unreadable: readonly string[] = []): Delivered {
  const known = new Map<string, DeliveredClass>()
  for (const { name, parameters } of classes) {
    const named = new Map(parameters.map((parameter) => [parameter.name, parameter]))
    const kept = [...named.values()].filter((parameter) => isName(parameter.name)).sort(byName)
    if (isName(name)) known.set(name, { name, parameters: kept })
  }
  return { classes: [...known.values()].sort(byName), unreadable: unreadable.toSorted() }
}

/** A default value of JSON that was read exactly. Beyond the limits of values there is none. */
export function parseDefaultValue(literal: unknown): Value {
  try {
    return readJson(JSON.stringify(literal ?? null))
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

/** The type that a new parameter gets, by its default value (smart-parameters §6.2). */
export function typeOfValue(value: Value): string | null {
  if (value === null) return null
  if (isList(value)) return 'array'
  if (isMap(value)) return 'hash'
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'bigint':
      return 'integer'
    case 'number':
      return 'real'
    default:
      return 'string'
  }
}

/** A short text that equal values share: 2 and 2.0 differ, the order of keys does not count. */
export function computeFingerprint(value: Value): string {
  return createHash('sha256').update(identityOf(value)).digest('base64url').slice(0, 22)
}

type DescribedParameter = Extract<z.infer<typeof FILE>, { classes: unknown }>['classes'][number]['params'][number]

function described({ name, type, default_literal, default_source }: DescribedParameter): DeliveredParameter {
  const sensitive = /\bSensitive\b/.test(type ?? '')
  if (default_literal !== undefined && default_literal !== null)
    return { name, value: parseDefaultValue(default_literal), sensitive }
  return { name, value: fromSource(default_source ?? null), sensitive }
}

/** What is no literal comes as it is written: only what surely means a value becomes that (smart-parameters §6.3). */
function fromSource(source: string | null): Value {
  if (source === null || source === 'undef') return null
  if (source === 'false') return false
  if (source === 'true') return true
  if (/^-\d+(?:\.\d+)?$/.test(source)) return readJson(source)
  return storable(source.replace(/^\$(.+)$/s, (whole, name: string) => (VARIABLE.test(name) ? `\${${name}}` : whole)))
}

/** The name of a variable, and what is looked up in it. */
const VARIABLE = /^(?:::)?\w+(?:::\w+)*(?:\[[^\]]*\])*$/

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

function isName(text: string): boolean {
  return /^[^\s\p{Cc}]{1,255}$/u.test(text) && text.isWellFormed()
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}
