import type { Version } from '../../../classification/preview/affected.ts'
import { compile } from '../../../classification/resolve.ts'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import type { Watched } from '../explanation/present-preview.ts'
import type { Watch } from '../explanation/preview.ts'
import { hasClass } from '../explanation/reach.ts'
import { loadPlacedParameters } from '../node/catalog.ts'
import { findParameterId } from './operations.ts'

/** Watches writes of a parameter, which change it for the hosts with its class. */
export const watchParameter: Watch = async (ctx, resource, input) =>
  watchParameterById(ctx, await findParameterId(ctx, resource, input, readIdSegment(input)))

/** Watches the parameter with this id: which hosts a change may concern, and how. */
export async function watchParameterById(ctx: Context, id: number): Promise<() => Promise<Watched>> {
  const before = await loadStored(ctx, id)
  return async () => {
    const after = await loadStored(ctx, id)
    const { configclass, environments } = after
    return {
      pairs: [{ before: before.version, after: after.version, environments }],
      hosts: hasClass(configclass),
      hidden: before.hidden || after.hidden ? [id] : [],
    }
  }
}

/** A parameter as it is stored, with its class and the environments in which the class has it. */
interface Stored {
  /** Null while the parameter is not managed. */
  readonly version: Version
  readonly configclass: number
  readonly environments: readonly number[]
  readonly hidden: boolean
}

/** Loads the parameter with this id, as hosts get it. */
export async function loadStored(ctx: Context, id: number): Promise<Stored> {
  const flags = await row<{ override: boolean; hidden_value: boolean; configclass_id: number }>(
    ctx.db,
    sql`select override, hidden_value, configclass_id from smart_class_parameters where id = ${id}`,
  )
  const [placed] = await loadPlacedParameters(ctx, sql`p.id = ${id}`)
  const [compiled = null] = placed ? compile([placed.parameter]).parameters : []
  return {
    version: flags?.override && ctx.settings.Parametrized_Classes_in_ENC ? compiled : null,
    configclass: flags?.configclass_id ?? 0,
    environments: placed?.environments ?? [],
    hidden: flags?.hidden_value === true,
  }
}
