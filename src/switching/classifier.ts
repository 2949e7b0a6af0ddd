import { z } from 'zod'
import { Failure } from '../errors.ts'
import { parseExact, toPlain } from '../lib/lossless-json.ts'
import { isMembers } from '../lib/values.ts'
import { type ClassValues, computeType, createClassValues, findUntakable } from './class-values.ts'
import { computeId, type Listed } from './listed-records.ts'

const VALUES = z.record(z.string(), z.record(z.string(), z.unknown()))

/** A group as the classifier exports it. */
const GROUP = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  parent: z.string().min(1),
  environment: z.string().optional(),
  environment_trumps: z.boolean().optional(),
  description: z.string().nullish(),
  rule: z.unknown(),
  classes: VALUES.default({}),
  variables: z.record(z.string(), z.unknown()).default({}),
  config_data: VALUES.default({}),
  /** Classes and parameters that the server no longer has. */
  deleted: z.unknown().optional(),
})

/** Keys that say when and by whom a group was edited. They mean nothing here. */
const OF_EDITS: ReadonlySet<string> = new Set([
  'last_edited',
  'serial_number',
  'user_id',
  'created_by_id',
  'modified_by_id',
])

type Group = z.infer<typeof GROUP>
interface Placed extends Group {
  /** The names from the root down. */
  readonly title: string
  readonly above: readonly string[]
}

/** The environment of groups whose nodes choose theirs. */
const CHOSEN_BY_NODE = 'agent-specified'

/** Reads the export of a classifier. {@throws Failure} malformed, with the place of the fault */
export function readClassifier(text: string): Listed {
  const groups = placeGroups(parseGroups(text))
  const found = createClassValues()
  for (const group of groups) takeGroup(found, group)
  takePins(found, groups)
  const [root] = groups
  if (root)
    found.addRemark({
      kind: 'hostgroup',
      record: root.title,
      outcome: 'left',
      reason: 'New host groups of the file have no organizations and locations, because a classifier has none.',
      fix: 'Set the organizations and locations here: until then, only administrators see these host groups.',
    })
  return found.toListed()
}

function parseGroups(text: string): readonly Group[] {
  let parsed: unknown
  try {
    parsed = parseExact(text)
  } catch (error) {
    throw new Failure('malformed', `the file is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const read = z.array(GROUP).safeParse(parsed)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const [place, ...keys] = issue?.path ?? []
  const where = place === undefined ? '' : `: group ${Number(place) + 1}${keys.length > 0 ? `, ${keys.join('.')}` : ''}`
  throw new Failure(
    'malformed',
    `the file is no export of a classifier (a list of groups with id, name and parent)${where}: ${issue?.message}`,
  )
}

/** Orders groups from the root down. {@throws Failure} for parents that lack or go in circles */
function placeGroups(groups: readonly Group[]): readonly Placed[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  if (byId.size < groups.length) throw new Failure('malformed', 'two groups of the file have the same id')
  const placed = groups.map((group): Placed => {
    const path = [group]
    for (let one = group; one.parent !== one.id; ) {
      const parent = byId.get(one.parent)
      if (!parent) throw new Failure('malformed', `the parent of the group "${one.name}" is not in the file`)
      if (path.includes(parent)) throw new Failure('malformed', `the parents of the group "${one.name}" go in a circle`)
      path.unshift(parent)
      one = parent
    }
    return { ...group, title: path.map(({ name }) => name).join('/'), above: path.map(({ id }) => id) }
  })
  return placed.toSorted((a, b) => a.above.length - b.above.length)
}

function takeGroup(found: ClassValues, group: Placed): void {
  const { id, name, title, parent, description } = group
  const environment = group.environment === CHOSEN_BY_NODE ? null : (group.environment ?? null)
  const addRemark = (reason: string) => found.addRemark({ kind: 'hostgroup', record: title, outcome: 'left', reason })
  if (group.environment === CHOSEN_BY_NODE)
    addRemark('Its environment is left out: the nodes choose it (agent-specified).')
  for (const reason of listUntaken(group)) addRemark(reason)
  if (group.environment_trumps)
    addRemark('That its environment overrides those of other groups has no counterpart: a host has one group.')
  found.records.hostgroups.push({
    id: computeId('hostgroup', id),
    name,
    title,
    parent_id: parent === id ? null : computeId('hostgroup', parent),
    ...(description && { description }),
    ...(environment !== null && { environment_id: found.addEnvironment(environment) }),
    configclass_ids: Object.keys(group.classes).map((one) => found.addClass(one, environment)),
    parameters: Object.entries(group.variables).flatMap(([key, value]) => {
      const reason = findUntakable(value)
      if (reason === null) return [{ name: key, value: toPlain(value), parameter_type: computeType(value) }]
      addRemark(`The variable ${key} is left out: ${reason}.`)
      return []
    }),
  })
  // Values of classes come last: they win over data of the same name.
  for (const [source, data] of [
    ['data', group.config_data],
    ['parameter', group.classes],
  ] as const)
    for (const [classname, values] of Object.entries(data)) {
      found.addClass(classname, environment)
      for (const [parameter, value] of Object.entries(values)) {
        const isHidden = source === 'data' && group.classes[classname]?.[parameter] !== undefined
        const reason = isHidden ? 'the group gives the class this parameter itself' : findUntakable(value)
        if (reason === null)
          found.addValue({ classname, parameter, match: `hostgroup=${title}`, value: toPlain(value) })
        else addRemark(`The ${source} ${classname}::${parameter} is left out: ${reason}.`)
      }
    }
}

/** The end of the key by which a classifier says that a class or parameter is deleted as a whole. */
const DELETED = '.classifier/deleted'

/** Lists the keys of a group that have no counterpart, and the classes that its server has deleted. */
function listUntaken(group: Placed): readonly string[] {
  const known: ReadonlySet<string> = new Set([...Object.keys(GROUP.shape), ...OF_EDITS, 'title', 'above'])
  const unknown = Object.keys(group).filter((key) => !known.has(key))
  const deleted = Object.entries(isMembers(group.deleted) ? group.deleted : {}).map(([name, parts]) => {
    const entries = Object.entries(isMembers(parts) ? parts : {})
    const rest = entries.filter(([key]) => !key.endsWith(DELETED)).map(([key]) => key)
    const isWhole = entries.some(([key, value]) => key.endsWith(DELETED) && value === true)
    const what = isWhole ? `The class ${name}` : `Of the class ${name}: ${rest.join(', ')}`
    return `${what} no longer exists on the old server; the group still uses it.`
  })
  return [...unknown.map((key) => `The key ${key} is left out: it has no counterpart here.`), ...deleted]
}

interface Pins {
  readonly names: readonly string[]
  /** Conditions that are no pinning. */
  readonly others: readonly unknown[]
}

/** Reads the nodes that a rule pins: names on its own, or alternatives of names. */
function readPins(rule: unknown): Pins {
  if (rule === null || rule === undefined) return { names: [], others: [] }
  if (!Array.isArray(rule)) return { names: [], others: [rule] }
  const [operator, ...operands] = rule
  const [field, name] = operands
  if (operator === '=' && field === 'name' && typeof name === 'string' && operands.length === 2)
    return { names: [name.toLowerCase()], others: [] }
  if (operator !== 'or') return { names: [], others: [rule] }
  const all = operands.map(readPins)
  return { names: all.flatMap(({ names }) => names), others: all.flatMap(({ others }) => others) }
}

/** Puts pinned nodes into their group: of groups below each other into the lowest, which has what the others have. */
function takePins(found: ClassValues, groups: readonly Placed[]): void {
  const pinned = new Map<string, Placed[]>()
  for (const group of groups) {
    const { names, others } = readPins(group.rule)
    for (const name of new Set(names)) pinned.set(name, [...(pinned.get(name) ?? []), group])
    for (const rule of others)
      found.addRemark({
        kind: 'hostgroup',
        record: group.title,
        outcome: 'left',
        reason: `The rule ${JSON.stringify(rule)} is left out: host groups have no rules.`,
        fix: 'Set the host group of these hosts here.',
      })
  }
  for (const [name, own] of pinned) {
    const lowest = own.at(-1)
    if (lowest && own.every(({ id }) => lowest.above.includes(id)))
      found.records.hosts.push({ id: computeId('host', name), name, hostgroup_id: computeId('hostgroup', lowest.id) })
    else
      found.addRemark({
        kind: 'host',
        record: name,
        outcome: 'refused',
        reason: `It is pinned to several groups, but a host has one: ${own.map(({ title }) => title).join(', ')}.`,
        fix: 'Set its host group here.',
      })
  }
}
