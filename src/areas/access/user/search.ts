import { compileColumnCondition } from '../../../search/index.ts'
import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { isAdministrator } from './groups.ts'

const LINKS = { table: 'user_roles', column: 'user_id', previous: 'id' }
const COMMON = { many: true, nullable: true, explicit: true } as const
const NAME = { name: 'role', type: 'text', column: 'name' } as const

/** Search fields of users that are not columns: by their roles, groups and what these give. */
export const userSearch: readonly SearchField[] = [
  {
    name: 'admin',
    type: 'boolean',
    asText: true,
    column: 'admin',
    expression: isAdministrator,
    tables: ['usergroups', 'usergroup_users', 'usergroup_usergroups'],
    explicit: true,
  },
  {
    ...NAME,
    ...COMMON,
    through: [LINKS, { table: 'roles', column: 'id', previous: 'role_id' }],
    leadsTo: { resource: 'role', column: 'id' },
    virtual: ({ operator, value, root, counting }, options) => {
      const named = compileColumnCondition(NAME, sql.ref('r.name'), operator, value, options)
      const found = counting ? sql`(${named} and ${counting('r')})` : named
      return sql`(${sql.ref(`${root}.id`)} in (
          select l.user_id from user_roles l join roles r on r.id = l.role_id where ${found})
        or exists (select from roles r where r.builtin = ${HELD_BY_ALL}::integer and ${found}))`
    },
  },
  {
    ...COMMON,
    name: 'role_id',
    type: 'integer',
    column: 'role_id',
    through: [LINKS],
    leadsTo: { resource: 'role', column: 'role_id' },
  },
]

const HELD_BY_ALL = 2
