import type { Section } from '../../resources/form/sections.tsx'
import type { CheckName, TrialOutcome, TrialState } from './trial-state.ts'

export type StageName = 'server' | 'account' | 'people' | 'groups'

/** A step on the way to a directory: its fields, and the checks that test them. */
export interface Stage extends Section {
  readonly name: StageName
  readonly checks: readonly CheckName[]
}

/** The steps in the order in which each needs the ones before it. */
export const STAGES: readonly Stage[] = [
  {
    name: 'server',
    title: 'directory.server',
    keys: ['name', 'host', 'port', 'tls', 'start_tls', 'ca_certificate', 'server_type'],
    checks: ['resolve', 'connect', 'tls'],
  },
  { name: 'account', title: 'directory.account', keys: ['account', 'account_password'], checks: ['bind'] },
  {
    name: 'people',
    title: 'directory.people',
    keys: [
      ...['base_dn', 'attr_login', 'ldap_filter', 'onthefly_register', 'attr_firstname', 'attr_lastname'],
      ...['attr_mail', 'attr_photo', 'organization_ids', 'location_ids'],
    ],
    checks: ['base_dn', 'login_attribute', 'sample'],
  },
  {
    name: 'groups',
    title: 'directory.groups',
    keys: ['groups_base', 'usergroup_sync', 'use_netgroups'],
    checks: ['groups_base', 'membership'],
  },
]

/** The step behind the others, where a person is tried. */
export const PERSON = 'person'

/** The parameter of the address that names the present step. */
export const STEP_PARAMETER = 'step'

/** Finds the step that the address names: the first one where it names none, null for the person. */
export function findStage(parameters: URLSearchParams): Stage | null {
  const name = parameters.get(STEP_PARAMETER)
  return name === PERSON ? null : (STAGES.find((stage) => stage.name === name) ?? STAGES[0] ?? null)
}

/** Computes how the checks of a step went; null where none was made, or values have changed since. */
export function computeMark({ data, tested, isPending }: TrialState, stage: Stage, now: string) {
  if (!data || isPending || tested !== now) return null
  const statuses = data.steps.filter(({ name }) => stage.checks.includes(name)).map(({ status }) => status)
  return (['failed', 'warning', 'ok'] as const).find((status) => statuses.includes(status)) ?? null
}

/** Whether the checks of a step and of those before it were made, and none failed. */
export function hasPassed({ steps }: TrialOutcome, stage: Stage): boolean {
  const last = steps.findLastIndex(({ name }) => stage.checks.includes(name))
  return steps.slice(0, last + 1).every(({ status }) => status !== 'failed')
}
