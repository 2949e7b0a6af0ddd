import { z } from 'zod'
import type { Delivered } from './delivered.ts'
import type { ImportDifference } from './difference.ts'

/** The kinds of changes of environments, in the order of answers. `except` leaves out kinds. */
export const KINDS = ['new', 'updated', 'obsolete', 'ignored'] as const

/** A kind of change. */
export type Kind = (typeof KINDS)[number]

const names = (doc: string) => z.array(z.string()).optional().meta({ description: doc })
const name = (doc: string) => z.string().optional().meta({ description: doc })

/** The schema of what an import does, or would do, to one environment (smart-parameters §6.1). */
export const ENVIRONMENT_REPORT = z
  .object({
    name: z.string().meta({ description: 'Its name.' }),
    actions: z
      .array(z.string())
      .meta({ description: 'Kinds of changes that were found: new, updated, obsolete, ignored.' }),
    new_configclasses: names('Classes that come into it.'),
    updated_configclasses: names('Classes whose parameters change.'),
    obsolete_configclasses: names('Classes that it has no longer.'),
    ignored_configclasses: names('Classes that the setting ignored_configclasses keeps out.'),
    removed_environment: name('Its name, where it is deleted, because the source has it no longer.'),
    ignored_environment: name('Its name, where the setting ignored_environments keeps it out.'),
    kept_environment: name('Its name, where it is only kept because hosts or host groups are in it.'),
    kept_configclasses: names('Classes it has no longer, and that are kept because somebody was given them.'),
    kept_parameters: names('Parameters it has no longer, and whose values are kept because somebody set them.'),
    unreadable_files: names('Files that the source could not read: nothing is taken for removed while there are any.'),
  })
  .meta({ title: 'ClassImportOfEnvironment' })

/** The changes of one environment, as answers show them. */
export type EnvironmentReport = z.infer<typeof ENVIRONMENT_REPORT>

/** Removes from a difference the kinds that are left out, and classes that settings ignore. */
export function excludeIgnored(
  all: ImportDifference,
  except: ReadonlySet<Kind>,
  ignores: (className: string) => boolean,
): ImportDifference {
  const found: ImportDifference = {
    newClasses: all.newClasses.filter((name) => !ignores(name)),
    newParameters: all.newParameters.filter((one) => !ignores(one.class)),
    changedParameters: all.changedParameters.filter((one) => !ignores(one.class)),
    obsoleteClasses: all.obsoleteClasses.filter((one) => !ignores(one.name)),
    obsoleteParameters: all.obsoleteParameters.filter((one) => !ignores(one.class)),
  }
  const isNew = new Set(found.newClasses)
  const isGone = new Set(found.obsoleteClasses.map(({ name: gone }) => gone))
  return {
    newClasses: except.has('new') ? [] : found.newClasses,
    newParameters: found.newParameters.filter((one) => !except.has(isNew.has(one.class) ? 'new' : 'updated')),
    changedParameters: except.has('updated') ? [] : found.changedParameters,
    obsoleteClasses: except.has('obsolete') ? [] : found.obsoleteClasses,
    obsoleteParameters: found.obsoleteParameters.filter(
      (one) => !except.has(isGone.has(one.class) ? 'obsolete' : 'updated'),
    ),
  }
}

/** Builds the report about an environment; null without changes. */
export function buildReport(
  environment: string,
  found: ImportDifference,
  {
    classes,
    unreadable,
    ignores,
    force,
    except,
  }: Delivered & {
    readonly ignores: (className: string) => boolean
    readonly force: boolean
    readonly except: ReadonlySet<Kind>
  },
): EnvironmentReport | null {
  const ignored = except.has('ignored') ? [] : classes.map((one) => one.name).filter(ignores)
  const isNew = new Set(found.newClasses)
  const gone = found.obsoleteClasses.map(({ name: one }) => one)
  const isGone = new Set(gone)
  const changed = [
    ...found.newParameters.filter((one) => !isNew.has(one.class)),
    ...found.changedParameters.filter(({ changes }) => changes),
    ...found.obsoleteParameters.filter((one) => !isGone.has(one.class)),
  ]
  const updated = sortNames(changed.map((one) => one.class))
  const kept = force ? [] : found.obsoleteParameters.filter(({ isManaged }) => isManaged)
  const lists = { new: found.newClasses, updated, obsolete: gone, ignored }
  const actions = KINDS.filter((kind) => lists[kind].length > 0)
  if (actions.length === 0 && unreadable.length === 0) return null
  return {
    name: environment,
    actions,
    ...listIfAny('new_configclasses', sortNames(found.newClasses)),
    ...listIfAny('updated_configclasses', updated),
    ...listIfAny('obsolete_configclasses', sortNames(gone)),
    ...listIfAny('ignored_configclasses', sortNames(ignored)),
    ...listIfAny(
      'kept_configclasses',
      sortNames(found.obsoleteClasses.filter(({ isGiven }) => isGiven).map((one) => one.name)),
    ),
    ...listIfAny('kept_parameters', sortNames(kept.map((one) => `${one.class}::${one.name}`))),
    ...listIfAny('unreadable_files', unreadable),
  }
}

/** Builds the report about an ignored environment. */
export function buildIgnoredReport(environment: string): EnvironmentReport {
  return { name: environment, actions: ['ignored'], ignored_environment: environment }
}

/** Builds the report about an environment that the source no longer has. */
export function buildObsoleteReport(
  environment: string,
  { isUsed, managed }: { readonly isUsed: boolean; readonly managed: readonly string[] },
): EnvironmentReport {
  if (isUsed) return { name: environment, actions: ['obsolete'], kept_environment: environment }
  return {
    name: environment,
    actions: ['obsolete'],
    removed_environment: environment,
    ...listIfAny('kept_parameters', sortNames(managed)),
  }
}

function listIfAny<Key extends string>(key: Key, list: readonly string[]): { [K in Key]?: string[] } {
  return list.length > 0 ? ({ [key]: [...list] } as { [K in Key]: string[] }) : {} // TypeScript widens computed keys
}

function sortNames(list: readonly string[]): string[] {
  return [...new Set(list)].sort()
}
