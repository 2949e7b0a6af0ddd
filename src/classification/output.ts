import { printJson } from './json.ts'
import { deepMerged } from './merge.ts'
import { printYaml } from './print-yaml.ts'
import type { Resolution } from './resolve.ts'
import type { Value, ValueMap } from './values.ts'

/** What a node gets: its parameters, its classes with their values, and its environment (smart-parameters §5.3). */
export interface NodeDocument {
  readonly parameters: ValueMap
  /** Values by class; null where the classes are sent as a list of names without values. */
  readonly classes: ReadonlyMap<string, ValueMap> | readonly string[]
  /** Null when the host has none or it is not to be sent. */
  readonly environment: string | null
}

/** The document as data, with its keys in order: classes by name, a class without values as null. */
export function nodeValue({ parameters, classes, environment }: NodeDocument): ValueMap {
  const document = new Map<string, Value>([
    ['parameters', parameters],
    ['classes', isNames(classes) ? classes.toSorted(byCodePoint) : withValues(classes)],
  ])
  return environment === null ? document : document.set('environment', environment)
}

/** The document as YAML that readers of 1.1 and 1.2 understand alike; the same document is always the same text. */
export function nodeYaml(document: NodeDocument): string {
  return printYaml(nodeValue(document))
}

/** The document as JSON. */
export function nodeJson(document: NodeDocument): string {
  return printJson(nodeValue(document))
}

/**
 * The classes of a document from what was resolved: every class that applies, with the values of its parameters by name,
 * absent ones left out. `failures` says why there can be no document (412); it is empty when there can.
 */
export function resolvedClasses(
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

/** The parameters of a node: what is known of the host with its own parameters over it (smart-parameters §5.4). */
export function withParameters(known: ValueMap, own: ValueMap): ValueMap {
  return deepMerged(known, own)
}

function withValues(classes: ReadonlyMap<string, ValueMap>): ValueMap {
  const sorted = [...classes].sort(([a], [b]) => byCodePoint(a, b))
  return new Map(sorted.map(([name, values]) => [name, values.size === 0 ? null : values]))
}

/** Whether the parameters of each class come by name, as where they were compiled so for a whole fleet. */
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
