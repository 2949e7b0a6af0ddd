import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { defineResource } from '../../../kernel/index.ts'
import { listQuery } from '../../../requests/paging.ts'
import { sql } from '../../../sql.ts'
import { refuseForeignOverrides } from '../override-value/guard.ts'
import { moveParameters, refuseLeavingHosts } from './environments.ts'
import { classFields } from './fields.ts'
import { buildClassListSchema, listClasses } from './list.ts'
import { classSearch } from './search.ts'
import { refuseWhileAssigned } from './usage.ts'

/** Config classes (smart-parameters §8). */
export const configclasses = defineResource({
  name: 'configclass',
  words: { plural: 'configclasses' },
  summary: 'A class of the configuration engine that you can assign to hosts.',
  fields: classFields,
  operations: ['show', 'create', 'update', 'delete'],
  label: 'name',
  permissions: { further: ['import_configclasses'] },
  views: {
    list: ['id', 'name', 'created_at', 'updated_at'],
    show: [
      'created_at',
      'updated_at',
      'id',
      'name',
      'module_name',
      'environments',
      'hostgroups',
      'smart_class_parameters',
    ],
  },
  readable: {
    module_name: {
      schema: () => z.string().meta({ description: 'The first part of its name, up to the first `::`.' }),
      sql: (alias) => sql`split_part(${sql.ref(`${alias}.name`)}, '::', 1)`,
    },
  },
  search: classSearch,
  routes: { parents: { environment: 'environments', host: 'hosts', hostgroup: 'groups' } },
  wire: { below: ['organizations/:organization_id', 'locations/:location_id'], suggests: true },
  wrapWrite: {
    async update(ctx, stored, draft, next, resource) {
      await refuseLeavingHosts(ctx, resource, stored, draft)
      await next(draft)
      await moveParameters(ctx, stored, draft)
    },
    async delete(ctx, stored, next, resource) {
      await refuseWhileAssigned(ctx, resource.registry, stored, 'configclass')
      await refuseForeignOverrides(ctx, resource.registry, parametersOf(stored.id))
      await next()
    },
  },
  actions: [
    {
      method: 'GET',
      path: '',
      name: 'list',
      summary: 'List config classes by module',
      permissions: ['view_configclasses'],
      query: {
        ...listQuery,
        style: z.string().optional().meta({ description: 'With `list` the results are one list.' }),
        ...Object.fromEntries(
          ['environment', 'host', 'hostgroup'].map((parent) => [
            `${parent}_id`,
            z
              .string()
              .optional()
              .meta({ description: `Only those that belong to this ${parent}.` }),
          ]),
        ),
      },
      output: buildClassListSchema(),
      handle: listClasses,
    },
  ],
})

function parametersOf(configclass: number): Sql {
  return sql`select p.id from smart_class_parameters p where p.configclass_id = ${configclass}`
}
