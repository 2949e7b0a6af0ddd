import type { Members } from '../../lib/values.ts'
import { type Change, isBlank, readHistory } from './changes.ts'
import {
  type Building,
  describeChange,
  describeValue,
  findChange,
  type ManualStep,
  type Step,
  type Words,
} from './step.ts'

/** Interfaces of hosts: hammer names one by its id only, but for the primary one, whose values the host has, too. */
export async function buildInterfaceSteps(building: Building, change: Change): Promise<Step[]> {
  const { isCreated, isDeleted, name } = change
  const all = isCreated || isDeleted ? change.after : await readHistory(building.target, 'interface', change)
  const owner = findChange(building, 'Host', all?.['host_id'])
  // A new host has its interfaces already, and a deleted one has none.
  if (owner?.isCreated || owner?.isDeleted) return []
  const host = await building.names.find('Host', Number(all?.['host_id']))
  const isPrimary = all?.['primary'] === true
  if (!all || host === null || isDeleted || (!isCreated && !isPrimary))
    return describeChange({ ...change, name: `${name} (${host ?? 'host'})` }, 'hammer names interfaces by their ids')
  const { words, manual } = await buildAddresses(building, change, `interface ${name}`)
  if (isCreated) {
    const options = words.flatMap(([option, value]) => [`--${option}`, value])
    return [{ record: `host ${host}`, command: ['host', 'interface', 'create', '--host', host, ...options] }, ...manual]
  }
  const options = words.flatMap(([option, value]) => [`--${option}`, value])
  return [
    ...(options.length > 0
      ? [{ record: `host ${host}`, command: ['host', 'update', '--name', host, ...options] }]
      : []),
    ...manual,
  ]
}

/** Builds the options of `host create` for the interfaces of a new host. */
export async function buildFirstInterfaces(building: Building, host: number): Promise<Words> {
  const own = building.changes.filter(
    ({ type, isCreated, after }) => type === 'Interface' && isCreated && after['host_id'] === host,
  )
  const words: string[] = []
  const manual: ManualStep[] = []
  for (const change of own) {
    const built = await buildAddresses(building, change, `interface ${change.name}`)
    const flags = ['primary', 'provision'].filter((flag) => change.after[flag] === true).map((flag) => [flag, 'true'])
    words.push('--interface', printPairs([...flags, ...built.words]))
    manual.push(...built.manual)
  }
  return { words, manual }
}

/** Options with the values that hammer takes as they are, and those whose values name records. */
const PLAIN = ['identifier', 'mac', 'ip', 'ip6']
const NAMED: Readonly<Record<string, readonly [option: string, type: string]>> = {
  domain_id: ['domain', 'Domain'],
  subnet_id: ['subnet', 'Subnet'],
}

/** Values that an interface has unless somebody says otherwise, and those that follow from its host. */
const USUAL: Members = { managed: true, type: 'interface', virtual: false, primary: true, provision: true }
const DERIVED = ['name', 'host_id', 'primary', 'provision']

async function buildAddresses({ names }: Building, { isCreated, before, after }: Change, record: string) {
  const words: [string, string][] = []
  const manual: ManualStep[] = []
  for (const [key, value] of Object.entries(after)) {
    if (isCreated && (isBlank(value) || value === false || value === USUAL[key] || DERIVED.includes(key))) continue
    if (!isCreated && key === 'name') continue
    const [option, type] = NAMED[key] ?? [key, null]
    const word = type === null ? String(value) : await names.find(type, Number(value))
    const isPossible = (type !== null || PLAIN.includes(key)) && value !== null && word !== null
    if (isPossible) words.push([option, word])
    else manual.push(describeValue(record, key, before[key], value))
  }
  return { words, manual }
}

function printPairs(pairs: readonly (readonly string[])[]): string {
  const isPlain = pairs.every(([, value = '']) => /^[\w.:-]+$/.test(value))
  return isPlain ? pairs.map((pair) => pair.join('=')).join(',') : JSON.stringify(Object.fromEntries(pairs))
}
