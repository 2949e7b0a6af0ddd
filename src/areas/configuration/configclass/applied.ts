import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import {
  buildObjectSchema,
  type Field,
  type FieldPosition,
  links,
  type Resource,
  selectNestedObject,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { CLASS_TABLES, selectClassesOfHost, selectClassesOfHostgroup } from './effective.ts'

const SHOWN = ['id', 'name', 'module_name']

/** The fields about classes that hosts and host groups have (smart-parameters §8). */
export function buildClassFields(owner: 'host' | 'hostgroup') {
  return {
    configclasses: links('configclass', {
      through: `${owner}_configclasses`,
      show: SHOWN,
      doc: 'Directly assigned config classes.',
    }),
    config_groups: links('config_group', {
      through: `config_group_${owner}s`,
      doc: 'Directly assigned class groups.',
    }),
    all_configclasses: buildAllClasses(owner),
  }
}

/** The fields of what classes are assigned to. */
export type AssignedFields = ReturnType<typeof buildClassFields>

/** The keys of the fields for classes of hosts and host groups, in order. */
export const CLASS_KEYS = ['configclasses', 'config_groups', 'all_configclasses']

/** Selects the ids of all classes of the host or host group with this alias. */
export function selectClassesOf(owner: 'host' | 'hostgroup', alias: string): Sql {
  return owner === 'host' ? selectClassesOfHost(alias) : selectClassesOfHostgroup(alias)
}

/** A field that lists classes below a host or host group `o`, by a condition on that host or group. */
export function appliedTo(
  owner: 'host' | 'hostgroup',
  doc: string,
  condition: (alias: string, classes: Sql) => Sql,
  reads: readonly string[] = [],
): Field<never> {
  return {
    ...NOTHING,
    kind: 'applied',
    doc,
    within: (_at, alias, id) => ({
      sql: sql`exists (select from ${sql.table(`${owner}s`)} o where o.id = ${id} and ${condition(alias, selectClassesOf(owner, 'o'))})`,
      tables: [...CLASS_TABLES, ...reads],
    }),
  }
}

const NOTHING = { writable: () => ({}), readable: () => ({}), search: () => [] }

function buildAllClasses(owner: 'host' | 'hostgroup'): Field<never> {
  const doc = 'All its config classes in its environment, including those of its host groups and class groups.'
  const targetOf = (at: FieldPosition): Resource => at.target('configclass')
  return {
    ...NOTHING,
    kind: 'children',
    doc,
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(buildObjectSchema(targetOf(at), SHOWN)).meta({ description: doc }),
        sql: (alias) =>
          sql`coalesce((select json_agg(${selectNestedObject(targetOf(at), SHOWN)} order by x.name) from configclasses x
            where x.id in (${selectClassesOf(owner, alias)})), '[]')`,
      },
    }),
  }
}
