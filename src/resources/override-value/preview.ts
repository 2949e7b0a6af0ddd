import type { Watch } from '../explanation/preview.ts'
import { watchingParameter } from '../smart-class-parameter/preview.ts'
import { parameterOf } from './scope.ts'

/** A write to an override changes the parameter that the path names. */
export function watchOverrides(permissions: readonly string[]): Watch {
  return async (ctx, resource, input) => watchingParameter(ctx, await parameterOf(ctx, resource, input, permissions))
}
