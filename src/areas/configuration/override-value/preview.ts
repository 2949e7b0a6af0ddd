import type { Watch } from '../explanation/preview.ts'
import { watchParameterById } from '../smart-class-parameter/preview.ts'
import { findParameterOfPath } from './scope.ts'

/** Watches writes of overrides, which change the parameter in the path. */
export function watchOverrides(permissions: readonly string[]): Watch {
  return async (ctx, resource, input) =>
    watchParameterById(ctx, await findParameterOfPath(ctx, resource, input, permissions))
}
