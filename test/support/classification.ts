import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import type { TestApi } from './api.ts'
import { type Body, given, type Shown, unique } from './given.ts'

/** Stores a class parameter in all environments of its class, as an import of classes does. */
export async function importedParameter(
  { admin, database }: Pick<TestApi, 'admin' | 'database'>,
  facts: {
    readonly configclass?: Shown
    readonly parameter?: string
    /** The default value as it is stored: JSON text. */
    readonly default_value?: string
    readonly columns?: Readonly<Record<string, string | boolean | null>>
  } = {},
): Promise<Shown> {
  const { columns = {}, default_value = null } = facts
  const owner = facts.configclass ?? (await given(admin, 'configclass', await inNewEnvironment(admin)))
  const values = { configclass_id: owner.id, parameter: facts.parameter ?? unique('param'), ...columns }
  const names = Object.keys(values).map((name) => sql.ref(name))
  const found = await row<{ id: number }>(
    database.db,
    sql`insert into smart_class_parameters (${sql.join(names)}, default_value)
      values (${sql.join(Object.values(values).map((value) => sql`${value}`))}, ${default_value}::jsonb) returning id`,
  )
  if (!found) throw new Error('no parameter was stored')
  await sql`insert into class_parameter_environments (smart_class_parameter_id, environment_id)
    select ${found.id}::bigint, environment_id from configclass_environments where configclass_id = ${owner.id}`.execute(
    database.db,
  )
  return (await admin.get(`/api/configclasses/${owner.id}/smart_class_parameters/${found.id}`)).body
}

async function inNewEnvironment(admin: TestApi['admin']): Promise<Body> {
  return { environment_ids: [(await given(admin, 'environment')).id] }
}
