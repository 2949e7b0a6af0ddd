import type { Change } from './changes.ts'
import { buildFirstInterfaces, buildInterfaceSteps } from './interfaces.ts'
import { loadKept } from './kept.ts'
import { BACK_KINDS, type BackKind } from './kinds.ts'
import { computeFormerName } from './names.ts'
import { buildOptions } from './options.ts'
import {
  buildClassParameterSteps,
  buildGlobalSteps,
  buildMatcherSteps,
  buildParameterSteps,
  buildSettingSteps,
} from './parts.ts'
import { type Building, describeChange, type Step } from './step.ts'

/** Builds the steps that make a change on the old server. */
export function buildSteps(building: Building, change: Change): Promise<Step[]> {
  const build = SPECIAL[change.type]
  if (build) return build(building, change)
  const kind = BACK_KINDS[change.type]
  if (!kind) return Promise.resolve(describeChange(change, 'hammer has no command for it, or needs ids'))
  return change.isDeleted ? Promise.resolve([buildDeletion(kind, change)]) : buildRecordSteps(building, kind, change)
}

const SPECIAL: Readonly<Record<string, (building: Building, change: Change) => Promise<Step[]>>> = {
  Parameter: buildParameterSteps,
  CommonParameter: buildGlobalSteps,
  Setting: buildSettingSteps,
  OverrideValue: buildMatcherSteps,
  SmartClassParameter: buildClassParameterSteps,
  Interface: buildInterfaceSteps,
}

function buildDeletion({ words, by }: BackKind, change: Change): Step {
  const label = change.after[by]
  const former = computeFormerName(change, typeof label === 'string' ? label : change.name)
  return { record: `${words} ${former}`, command: [words, 'delete', `--${by}`, former] }
}

async function buildRecordSteps(building: Building, kind: BackKind, change: Change): Promise<Step[]> {
  const { type, id, isCreated } = change
  const record = `${kind.words} ${change.name}`
  const today = await building.names.find(type, id)
  if (today === null) return describeChange(change, 'its name is not known')
  if (isCreated && !kind.options['parent_id'] && typeof change.after['parent_id'] === 'number')
    return describeChange(change, 'hammer names the record above it by its id')
  const { words, manual } = await buildOptions(building.names, kind, change)
  const after = await loadKept(building.names, change)
  const kept = await buildOptions(building.names, kind, { ...change, isCreated: false, after })
  const first = isCreated && type === 'Host' ? await buildFirstInterfaces(building, id) : { words: [], manual: [] }
  const text = kind.file === undefined ? undefined : change.after[kind.file]
  const file = typeof text === 'string' ? { file: text } : {}
  const which = isCreated ? [] : [`--${kind.by}`, computeFormerName(change, today)]
  const changed = isCreated ? [] : kept.words
  const command = [kind.words, isCreated ? 'create' : 'update', ...which, ...words, ...changed, ...first.words]
  const isEmpty = !isCreated && words.length === 0 && typeof text !== 'string'
  // A new record does not keep cleared values of its environment, so a second command clears them.
  const cleared = { record, command: [kind.words, 'update', `--${kind.by}`, today, ...kept.words] }
  return [
    ...(isEmpty ? [] : [{ record, command, ...file }]),
    ...(isCreated && kept.words.length > 0 ? [cleared] : []),
    ...manual,
    ...kept.manual,
    ...first.manual,
  ]
}
