import type { Target } from '../commands/contexts.ts'
import { type Change, REDACTED } from './changes.ts'
import type { Names } from './names.ts'

/** A step of the way back: a command of hammer, or work for a person. */
export type Step = CommandStep | ManualStep

/** A command of hammer. */
export interface CommandStep {
  readonly record: string
  /** Its words behind `hammer`. */
  readonly command: readonly string[]
  /** The content of the file that `--file` names. */
  readonly file?: string
}

/** What a person has to do. */
export interface ManualStep {
  readonly record: string
  readonly by_hand: string
}

/** What the steps are built from. */
export interface Building {
  readonly target: Target
  readonly names: Names
  readonly changes: readonly Change[]
}

/** Words of a command, and what they leave out. */
export interface Words {
  readonly words: readonly string[]
  readonly manual: readonly ManualStep[]
}

/** Finds the change of a record. */
export function findChange({ changes }: Building, type: string, id: unknown): Change | undefined {
  return changes.find((change) => change.type === type && change.id === id)
}

/** Prints a value as an option takes it. */
export function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Describes a change that somebody makes by hand, with its reason. */
export function describeChange(
  { type, name, isCreated, isDeleted, before, after }: Change,
  reason: string,
): ManualStep[] {
  const record = `${type} ${name}`
  if (isCreated || isDeleted) return [{ record, by_hand: `${isCreated ? 'create' : 'delete'} it (${reason})` }]
  return Object.entries(after).map(([key, value]) => describeValue(record, key, before[key], value))
}

/** Describes a value that somebody enters by hand. Secrets are named only. */
export function describeValue(record: string, key: string, before: unknown, after: unknown): ManualStep {
  if (after === REDACTED) return describeSecret(record, key)
  const from = before === undefined || before === REDACTED ? '' : ` from ${JSON.stringify(before)}`
  return { record, by_hand: `change ${key}${from} to ${JSON.stringify(after)}` }
}

/** Describes a secret that somebody enters by hand, because no script contains it. */
export function describeSecret(record: string, key: string): ManualStep {
  return { record, by_hand: `${key} of ${record}: enter it by hand` }
}
