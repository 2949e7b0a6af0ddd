import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isMembers } from '../../lib/values.ts'
import { type ClassValues, computeType, createClassValues, findUntakable } from '../class-values.ts'
import type { Listed } from '../listed-records.ts'
import { combine, type Found } from './combine.ts'
import { type Level, readConfiguration } from './configuration.ts'
import { type DataFile, type DataFiles, readDataFiles } from './data-files.ts'
import { type Options, readLookupOptions, type Say } from './lookup-options.ts'

const KIND = 'smart_class_parameter'

/** Reads `hiera.yaml` of a folder and the data that it names. {@throws Failure} malformed, naming the file */
export function readHiera(folder: string, environment: string | null): Listed {
  const { levels, left } = readConfiguration(readFileSync(join(folder, 'hiera.yaml'), 'utf8'))
  const found = createClassValues()
  const addRemark = (record: string, reason: string) => found.addRemark({ kind: KIND, record, outcome: 'left', reason })
  for (const { name, reason } of left) addRemark(name, `The level is left out (hiera.yaml): ${reason}.`)
  const data = readDataFiles(folder, levels)
  for (const { name, reason } of data.left) addRemark(name, `The file is left out: ${reason}.`)
  const say = (file: DataFile, key: string, reason: string) =>
    addRemark(key, `It is left out (${describePlace(file, key)}): ${reason}.`)
  const optionsOf = readLookupOptions(data.files, say)
  const taking: Taking = { found, environment: environment ?? chooseEnvironment(folder), order: listOrder(levels), say }
  for (const [key, values] of listValues(data, say)) takeKey(taking, key, values, optionsOf(key))
  return found.toListed()
}

/** The environment whose folder it is, or the one that nodes have without a choice. */
function chooseEnvironment(folder: string): string {
  const path = resolve(folder)
  return basename(dirname(path)) === 'environments' ? basename(path) : 'production'
}

function listOrder(levels: readonly Level[]): readonly string[] {
  return [...new Set(levels.map(({ pattern }) => pattern.attributes.join()))].filter((line) => line !== '')
}

function describePlace({ name, lines }: DataFile, key: string): string {
  const line = lines.get(key.split(' ', 1)[0] ?? key)
  return line === undefined ? name : `${name}:${line}`
}

/** Lists the values of each key that names a parameter of a class, the highest first. */
function listValues({ files }: DataFiles, say: Say): ReadonlyMap<string, readonly Found[]> {
  const values = new Map<string, Found[]>()
  for (const file of files)
    for (const [key, value] of Object.entries(file.data)) {
      if (key === 'lookup_options') continue
      const reason = PARAMETER.test(key) ? findReason(value) : 'the key names no parameter of a class'
      if (reason === null) values.set(key, [...(values.get(key) ?? []), { file, value }])
      else say(file, key, reason)
    }
  return values
}

const PARAMETER = /^[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)+$/

function findReason(value: unknown): string | null {
  const functions = /%\{\s*(\w+)\(/.exec(JSON.stringify(value) ?? '')
  if (functions) return `its value calls the function ${functions[1]}, which is unknown here`
  return findUntakable(value, /%\{/)
}

interface Taking {
  readonly found: ClassValues
  readonly environment: string
  readonly order: readonly string[]
  readonly say: Say
}

/** Takes the values of a key: what holds for all hosts becomes the default, the rest overrides. */
function takeKey({ found, environment, order, say }: Taking, key: string, all: readonly Found[], options: Options) {
  const { values, left, differences } = combine(all, options.merge, order)
  for (const { file, reason } of left) say(file, key, reason)
  if (values.length === 0) return
  const at = key.lastIndexOf('::')
  const [classname, parameter] = [key.slice(0, at), key.slice(at + 2)]
  for (const difference of differences)
    found.addRemark({ kind: KIND, record: key, outcome: 'left', reason: difference, fix: 'Check the merged values.' })
  found.addClass(classname, environment)
  const general = values.find(({ file }) => file.match === null)
  found.addParameter({
    classname,
    parameter,
    values: values.map(({ value }) => value),
    members: {
      ...(order.length > 0 && { override_value_order: order.join('\n') }),
      // Without a value for all hosts, the others keep the default of the class.
      ...(general ? { default_value: general.value, omit: false } : { omit: true }),
      ...describeMerging(options.merge, values, general !== undefined),
      ...(options.isHidden && { hidden_value: true }),
    },
  })
  for (const { file, value } of values)
    if (file.match !== null) found.addValue({ classname, parameter, match: file.match, value })
}

function describeMerging(merge: Options['merge'], values: readonly Found[], hasDefault: boolean): object {
  if (merge === 'first') return { merge_overrides: false, merge_default: false, avoid_duplicates: false }
  const isListed = !values.some(({ value }) => isMembers(value))
  return { merge_overrides: true, merge_default: hasDefault, avoid_duplicates: isListed && areLists(values) }
}

function areLists(values: readonly Found[]): boolean {
  return values.every(({ value }) => computeType(value) === 'array')
}
