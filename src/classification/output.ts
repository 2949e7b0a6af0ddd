import { printJson } from './json.ts'
import { mergeDeeply } from './merge.ts'
import { printYaml } from './print-yaml.ts'
import type { Resolution } from './resolve.ts'
import type { Value, ValueMap } from './values.ts'

/** The node document: parameters, classes with their values, and the environment of a host (smart-parameters §5.3). */
export interface NodeDocument {
  readonly parameters: ValueMap
  /** Values by class, or only the names of the classes where the setting asks for a plain list. */
  readonly classes: ReadonlyMap<string, ValueMap> | readonly string[]
  /** Null when the host has no environment, or when it is not sent. */
  readonly environment: string | null
}

/** Yields the document as data with its keys in order: classes by name, a class without values as null. */
export function toNodeValue({ parameters, classes, environment }: NodeDocument): ValueMap {
  const document = new Map<string, Value>([
    ['parameters', parameters],
    ['classes', isNames(classes) ? classes.toSorted(byCodePoint) : withValues(classes)],
  ])
  return environment === null ? document : document.set('environment', environment)
}

/** Formats the document as YAML that parsers of 1.1 and 1.2 understand alike. Equal documents yield equal text. */
export function formatNodeYaml(document: NodeDocument): string {
  return printYaml(toNodeValue(document))
}

/** Formats the document as JSON. */
export function formatNodeJson(document: NodeDocument): string {
  return printJson(toNodeValue(document))
}

/**
 * Builds the classes of a document from resolutions: every class that applies, with the values of its parameters by name;
 * parameters without a value are left out. `failures` says why there can be no document (answered with 412); it is empty
 * otherwise.
 */
export function buildResolvedClasses(
  names: Iterable<string>,
  resolutions: readonly Resolution[],
): { classes: ReadonlyMap<string, ValueMap>; failures: readonly string[] } {
  const classes = new Map<string, Map<string, Value>>([...names].map((name) => [name, new Map()]))
  const failures: string[] = []
  const ordered = isOrdered(resolutions)
    ? resolutions
    : resolutions.toSorted((a, b) => byCodePoint(a.parameter.name, b.parameter.name))
  for (const { parameter, outcome } of ordered) {
    if (outcome.kind === 'failure') failures.push(outcome.message)
    if (outcome.kind === 'value') classes.get(parameter.className)?.set(parameter.name, outcome.value)
  }
  return { classes, failures }
}

/**
 * Yields the parameters of a node: the known facts about the host, overwritten by its own parameters (smart-parameters
 * §5.4).
 */
export function withParameters(known: ValueMap, own: ValueMap): ValueMap {
  return mergeDeeply(known, own)
}

function withValues(classes: ReadonlyMap<string, ValueMap>): ValueMap {
  const sorted = [...classes].sort(([a], [b]) => byCodePoint(a, b))
  return new Map(sorted.map(([name, values]) => [name, values.size === 0 ? null : values]))
}

/** Tells whether the parameters of each class are sorted by name already, as in a compiled index for many hosts. */
function isOrdered(resolutions: readonly Resolution[]): boolean {
  const last = new Map<number, string>()
  return resolutions.every(({ parameter: { classId, name } }) => {
    const before = last.get(classId)
    last.set(classId, name)
    return before === undefined || byCodePoint(before, name) <= 0
  })
}

function isNames(classes: NodeDocument['classes']): classes is readonly string[] {
  return Array.isArray(classes)
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
