import type { Watch } from '../explanation/preview.ts'
import { watchParameterById } from '../smart-class-parameter/preview.ts'
import { findParameterOfPath } from './scope.ts'

/** A write to an override changes the parameter that the path names. */
export function watchOverrides(permissions: readonly string[]): Watch {
  return async (ctx, resource, input) =>
    watchParameterById(ctx, await findParameterOfPath(ctx, resource, input, permissions))
}
