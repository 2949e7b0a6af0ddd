import type { Resolution } from '../../../classification/resolve.ts'
import type { Value } from '../../../classification/values.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import type { PreparedNode } from './prepare.ts'

type Seen = Pick<PreparedNode, 'masked' | 'viewer'>

/** The parameters of a host for the viewer: hidden values are masked, or left out. */
export function maskParameters(
  { masked, viewer }: Seen,
  parameters: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  if (masked.size === 0) return parameters
  const seen = [...parameters].filter(([name]) => !viewer.leavesOut || !masked.has(name))
  return new Map(seen.map(([name, value]) => [name, masked.has(name) && value !== null ? HIDDEN : value]))
}

/** The resolutions of class parameters for the viewer; failures do not quote hidden values. */
export function maskResolutions({ viewer }: Seen, resolutions: readonly Resolution[]): readonly Resolution[] {
  const { hiddenOfClasses, leavesOut } = viewer
  if (hiddenOfClasses === null) return resolutions
  return resolutions.map((resolution): Resolution => {
    const { parameter, outcome } = resolution
    if (!parameter.hidden || hiddenOfClasses.has(parameter.id) || outcome.kind === 'absent') return resolution
    if (outcome.kind === 'failure')
      return {
        ...resolution,
        outcome: {
          ...outcome,
          message: `The hidden value of parameter '${parameter.name}' of class '${parameter.className}' does not fit`,
        },
      }
    if (leavesOut) return { ...resolution, outcome: { kind: 'absent', reason: 'omitted' } }
    return outcome.value === null ? resolution : { ...resolution, outcome: { ...outcome, value: HIDDEN } }
  })
}

/** The resolutions with the secrets that were read in place of references. */
export function withSecrets({ secrets }: PreparedNode, resolutions: readonly Resolution[]): readonly Resolution[] {
  if (!secrets || secrets.classes.size === 0) return resolutions
  return resolutions.map((resolution): Resolution => {
    const secret = secrets.classes.get(resolution.parameter.id)
    return secret === undefined ? resolution : { ...resolution, outcome: { kind: 'value', value: secret } }
  })
}
