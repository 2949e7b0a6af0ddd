import { isScalar, isMap as isYamlMap, LineCounter, parseDocument } from 'yaml'
import { readJson } from '../../classification/json.ts'
import { isList, isMap, Unfit, type Value } from '../../classification/values.ts'
import { readYaml } from '../../classification/yaml.ts'
import { Failure } from '../../errors.ts'

/** A file as plain values, and the line of each of its keys. */
export interface Document {
  readonly value: unknown
  readonly lines: ReadonlyMap<string, number>
}

/** Reads a file of YAML or JSON, by the end of its name. {@throws Failure} malformed, naming the file */
export function readDocument(name: string, text: string): Document {
  try {
    const value = name.endsWith('.json') ? readJson(text) : readYaml(text)
    return { value: toPlain(value), lines: countLines(text) }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    throw new Failure('malformed', `${name} ${error.message}`)
  }
}

function toPlain(value: Value): unknown {
  if (isList(value)) return value.map(toPlain)
  if (isMap(value)) return Object.fromEntries([...value].map(([key, one]) => [key, toPlain(one)]))
  return typeof value === 'bigint' ? Number(value) : value
}

function countLines(text: string): ReadonlyMap<string, number> {
  const lineCounter = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter, uniqueKeys: false, strict: false, logLevel: 'silent' })
  if (!isYamlMap(contents)) return new Map()
  return new Map(
    contents.items.flatMap(({ key }): [string, number][] =>
      isScalar(key) && key.range ? [[String(key.value), lineCounter.linePos(key.range[0]).line]] : [],
    ),
  )
}
