import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import {
  buildObjectSchema,
  type Field,
  type FieldPosition,
  links,
  type ReadableKey,
  type Resource,
  selectNestedObject,
} from '../../../kernel/index.ts'
import { nestedList } from '../../../records/nested.ts'
import { selectMoment } from '../../../requests/times.ts'
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
    config_groups: buildConfigGroups(owner),
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

/** The class groups of a host or host group, shown with their classes and times. */
function buildConfigGroups(owner: 'host' | 'hostgroup'): Field<readonly number[]> {
  const doc = 'Directly assigned class groups.'
  const through = `config_group_${owner}s`
  const field = links('config_group', { through, doc })
  const describe = (at: FieldPosition) => {
    const classes = at.target('configclass')
    return nestedList(doc, (own) => ({
      keys: {
        created_at: [z.string().meta({ description: 'Time of creation.' }), selectMoment(sql`g.created_at`)],
        updated_at: [z.string().meta({ description: 'Time of the last change.' }), selectMoment(sql`g.updated_at`)],
        id: [z.int().meta({ description: 'Its id.' }), sql`g.id`],
        name: [z.string().meta({ description: 'Its name.' }), sql`g.name`],
        configclasses: [
          z.array(buildObjectSchema(classes, SHOWN)).meta({ description: 'The classes in it.' }),
          sql`coalesce((select json_agg(${selectNestedObject(classes, SHOWN)} order by x.name) from configclasses x
            join config_group_configclasses m on m.configclass_id = x.id where m.config_group_id = g.id), '[]')`,
        ],
      },
      from: sql`${sql.table(through)} l join config_groups g on g.id = l.config_group_id where ${sql.ref(`l.${owner}_id`)} = ${own('id')}`,
      order: sql`g.name, g.id`,
    }))
  }
  return {
    ...field,
    readable: (at) =>
      Object.fromEntries(
        Object.entries(field.readable(at)).map(([key, { names }]): [string, ReadableKey] => [
          key,
          // The target is known only once all resources are.
          { schema: () => describe(at).schema(), sql: (alias) => describe(at).sql(alias), ...(names && { names }) },
        ]),
      ),
  }
}

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
