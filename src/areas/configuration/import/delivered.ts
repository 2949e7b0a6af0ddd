import { createHash } from 'node:crypto'
import { z } from 'zod'
import { printJson, readJson } from '../../../classification/json.ts'
import { identityOf, isList, isMap, Unfit, type Value } from '../../../classification/values.ts'
import { parseExact, printExact, printIfReordered } from '../../../lib/lossless-json.ts'

/** A class as a source delivers it. */
export interface DeliveredClass {
  readonly name: string
  readonly parameters: readonly DeliveredParameter[]
}

/** A parameter of a class as the source delivers it. */
export interface DeliveredParameter {
  readonly name: string
  /** The default value; null when there is none or it cannot be stored. */
  readonly value: Value
  /** Whether the class declares the value as sensitive. */
  readonly sensitive: boolean
}

/** The contents of one environment as a source delivers them. */
export interface Delivered {
  readonly classes: readonly DeliveredClass[]
  /** Files that could not be read. Their classes are unknown, so that no class counts as removed. */
  readonly unreadable: readonly string[]
}

/** The schema of one file as servers of the engine describe it (smart-parameters §6.3, §9.3.3). */
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

/** Collects the contents of an environment from its files. */
export function collectFiles(files: Iterable<z.infer<typeof FILE>>): Delivered {
  const classes: DeliveredClass[] = []
  const unreadable: string[] = []
  for (const file of files) {
    if ('error' in file) unreadable.push(toStorable(file.path))
    else classes.push(...file.classes.map(({ name, params }) => ({ name, parameters: params.map(readDescribed) })))
  }
  return normalizeDelivered(classes, unreadable)
}

/** Sorts classes and their parameters by name, and leaves out repeated ones and those whose names cannot be stored. */
export function normalizeDelivered(classes: readonly DeliveredClass[], unreadable: readonly string[] = []): Delivered {
  const known = new Map<string, DeliveredClass>()
  for (const { name, parameters } of classes) {
    const named = new Map(parameters.map((parameter) => [parameter.name, parameter]))
    const kept = [...named.values()].filter((parameter) => isName(parameter.name)).sort(sortByName)
    if (isName(name)) known.set(name, { name, parameters: kept })
  }
  return { classes: [...known.values()].sort(sortByName), unreadable: unreadable.toSorted() }
}

/** Parses a default value from JSON with exact numbers; null beyond the limits of values. */
export function parseDefaultValue(literal: unknown): Value {
  try {
    return readJson(printExact(literal ?? null))
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

/** The type of a new parameter, by its default value (smart-parameters §6.2). */
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

/** Computes a short text that equal values have in common: 2 and 2.0 differ, the order of keys does not matter. */
export function computeFingerprint(value: Value): string {
  // The order counts where jsonb would change it: what was remembered before order was kept stays valid for all else.
  const order = printIfReordered(parseExact(printJson(value))) ?? ''
  return createHash('sha256')
    .update(`${identityOf(value)}${order}`)
    .digest('base64url')
    .slice(0, 22)
}

type DescribedParameter = Extract<z.infer<typeof FILE>, { classes: unknown }>['classes'][number]['params'][number]

function readDescribed({ name, type, default_literal, default_source }: DescribedParameter): DeliveredParameter {
  const sensitive = /\bSensitive\b/.test(type ?? '')
  if (default_literal !== undefined && default_literal !== null)
    return { name, value: parseDefaultValue(default_literal), sensitive }
  return { name, value: parseSourceText(default_source ?? null), sensitive }
}

/**
 * Parses a default that is source text instead of a literal, if it surely stands for a value (smart-parameters §6.3).
 */
function parseSourceText(source: string | null): Value {
  if (source === null || source === 'undef') return null
  if (source === 'false') return false
  if (source === 'true') return true
  if (/^-\d+(?:\.\d+)?$/.test(source)) return readJson(source)
  return toStorable(source.replace(/^\$(.+)$/s, (whole, name: string) => (VARIABLE.test(name) ? `\${${name}}` : whole)))
}

/** A variable, maybe with look-ups in it. */
const VARIABLE = /^(?:::)?\w+(?:::\w+)*(?:\[[^\]]*\])*$/

function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

function isName(text: string): boolean {
  return /^[^\s\p{Cc}]{1,255}$/u.test(text) && text.isWellFormed()
}

function sortByName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}
