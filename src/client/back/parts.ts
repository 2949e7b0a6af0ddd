import { type Members, membersOf } from '../../lib/values.ts'
import { type Change, REDACTED, readHistory } from './changes.ts'
import { BACK_KINDS, CLASS_OPTION, CLASS_PARAMETER_OPTIONS, PARAMETER_OWNERS } from './kinds.ts'
import { computeFormerName } from './names.ts'
import {
  type Building,
  describeChange,
  describeSecret,
  describeValue,
  findChange,
  printValue,
  type Step,
} from './step.ts'

/** Parameters of hosts, host groups, domains and the like. */
export async function buildParameterSteps(building: Building, change: Change): Promise<Step[]> {
  const { isCreated, isDeleted, before, name } = change
  const all = isCreated || isDeleted ? change.after : await readHistory(building.target, 'parameter', change)
  const found = Object.entries(PARAMETER_OWNERS).find(([key]) => typeof all?.[key] === 'number')
  if (!all || !found) return describeChange(change, 'nobody knows whose it was')
  const [key, { type, option }] = found
  const owner = findChange(building, type, all[key])
  if (owner?.isDeleted) return []
  const called = await building.names.find(type, Number(all[key]))
  if (called === null) return describeChange(change, 'nobody knows whose it was')
  const words = BACK_KINDS[type]?.words ?? ''
  const record = `${words} ${called}`
  const former = computeFormerName(change, name)
  const remove = { record, command: [words, 'delete-parameter', `--${option}`, called, '--name', former] }
  if (isDeleted) return [remove]
  const renamed = 'name' in before ? [remove] : []
  if (all['hidden_value'] === true) return [...renamed, describeSecret(record, `parameter ${name}`)]
  return [
    ...renamed,
    { record, command: [words, 'set-parameter', `--${option}`, called, ...writeParameter(name, all)] },
  ]
}

function writeParameter(name: string, { value, parameter_type }: Members): string[] {
  const type = typeof parameter_type === 'string' ? ['--parameter-type', parameter_type] : []
  return ['--name', name, '--value', printValue(value), ...type]
}

/** Global parameters, which hammer only sets as a whole. */
export async function buildGlobalSteps({ target }: Building, change: Change): Promise<Step[]> {
  const { name, isCreated, isDeleted, before } = change
  const record = `global-parameter ${name}`
  const former = computeFormerName(change, name)
  const remove = { record, command: ['global-parameter', 'delete', '--name', former] }
  if (isDeleted) return [remove]
  const all = isCreated ? change.after : await readHistory(target, 'common_parameter', change)
  if (!all) return describeChange(change, 'its audits are gone')
  const renamed = 'name' in before ? [remove] : []
  if (all['hidden_value'] === true) return [...renamed, describeSecret(record, 'value')]
  return [...renamed, { record, command: ['global-parameter', 'set', ...writeParameter(name, all)] }]
}

/** Settings. */
export async function buildSettingSteps(_building: Building, { name, after }: Change): Promise<Step[]> {
  const record = `settings ${name}`
  if (after['value'] === REDACTED) return [describeSecret(record, 'value')]
  return [{ record, command: ['settings', 'set', '--name', name, '--value', printValue(after['value'] ?? '')] }]
}

/** Matchers of class parameters: hammer adds them by names, and changes and removes them by ids. */
export async function buildMatcherSteps(building: Building, change: Change): Promise<Step[]> {
  const { isCreated, after, name } = change
  if (!isCreated) return describeChange(change, 'hammer names matchers by their ids')
  const which = await findClassParameter(building, after['smart_class_parameter_id'])
  const record = `matcher ${name}`
  if (which === null) return describeChange(change, 'its class parameter is not known')
  if (after['hidden_value'] === true || after['value'] === REDACTED) return [describeSecret(record, 'value')]
  const value = after['omit'] === true ? ['--omit', 'true'] : ['--value', printValue(after['value'])]
  const owner = ['--smart-class-parameter', which.parameter, CLASS_OPTION, which.configclass]
  return [{ record, command: ['sc-param', 'add-matcher', ...owner, '--match', name, ...value] }]
}

/** Class parameters, which an import of classes creates. */
export async function buildClassParameterSteps(building: Building, change: Change): Promise<Step[]> {
  const { isCreated, isDeleted, before, after, name } = change
  const which = await findClassParameter(building, change.id)
  if (isCreated || isDeleted || which === null) return describeChange(change, 'import the classes there')
  const record = `sc-param ${name}`
  const entries = Object.entries(after)
  const possible = entries.filter(
    ([key, value]) => CLASS_PARAMETER_OPTIONS[key] && value !== REDACTED && value !== null,
  )
  const words = possible.flatMap(([key, value]) => [`--${CLASS_PARAMETER_OPTIONS[key]}`, printValue(value)])
  const owner = ['--name', which.parameter, CLASS_OPTION, which.configclass]
  return [
    ...(words.length > 0 ? [{ record, command: ['sc-param', 'update', ...owner, ...words] }] : []),
    ...entries
      .filter((entry) => !possible.includes(entry))
      .map(([key, value]) => describeValue(record, key, before[key], value)),
  ]
}

async function findClassParameter({ names }: Building, id: unknown) {
  const { parameter, configclass_name: configclass } = membersOf(await names.load('SmartClassParameter', Number(id)))
  return typeof parameter === 'string' && typeof configclass === 'string' ? { parameter, configclass } : null
}
