import { z } from 'zod'
import { Failure } from '../../../errors.ts'
import { type Action, type Definition, remove } from '../../../kernel/index.ts'
import { nestedList } from '../../../records/nested.ts'
import { compileColumnCondition } from '../../../search/index.ts'
import type { SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { userFields } from './fields.ts'
import { isAdministrator, selectUsergroupIds } from './groups.ts'
import { userWrites } from './guard.ts'
import { may } from './may.ts'

/** Deletes a user, but never the caller (core-api §7.3). */
const deleteUser: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one user',
  permissions: ['destroy_users'],
  outputs: 'deleted',
  record: { how: 'found' },
  handle: async (ctx, users, input, { id }) => {
    // Checked first: records that use the caller's account are not the reason.
    if (id === ctx.user.id) throw new Failure('denied', 'Access denied', { details: OWN, missingPermissions: null })
    return remove(ctx, users, input)
  },
}

const OWN = 'You are trying to delete your own account'

const LINKS = { table: 'user_roles', column: 'user_id', previous: 'id' }
const COMMON = { many: true, nullable: true, explicit: true } as const
const NAME = { name: 'role', type: 'text', column: 'name' } as const
const ADMIN = { name: 'admin', type: 'boolean', asText: true, column: 'admin' } as const

/** Search fields of users that are not columns: by their roles, groups and what these give. */
const userSearch: readonly SearchField[] = [
  {
    ...ADMIN,
    expression: isAdministrator,
    tables: ['usergroups', 'usergroup_users', 'usergroup_usergroups'],
    explicit: true,
    // Who is an administrator only by a group is found by both words: the flag of the user says no.
    virtual: ({ operator, value, root }, options) => {
      const saysNo = (operator === 'eq' && value === 'false') || (operator === 'ne' && value === 'true')
      const isOne = saysNo ? sql.ref(`${root}.admin`) : isAdministrator(root)
      return compileColumnCondition(ADMIN, isOne, operator, value, options)
    },
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

const KEYS = [
  'firstname',
  'lastname',
  'mail',
  'mail_enabled',
  'admin',
  'auth_source_id',
  'disabled',
  'auth_source_name',
  'timezone',
  'locale',
  'last_login_on',
  'created_at',
  'updated_at',
  'id',
  'login',
  'description',
  'ssh_keys',
  'default_location',
  'locations',
  'default_organization',
  'organizations',
  'effective_admin',
]

/** The declaration of users (core-api §4, §7, §11). */
export const user = {
  name: 'user',
  routes: {
    invalidates: 'identities',
    parents: {
      usergroup: 'usergroups',
      role: 'roles',
      auth_source_internal: 'auth_source',
      auth_source_ldap: 'auth_source',
      auth_source_external: 'auth_source',
    },
  },
  summary: 'A person or program that can log in.',
  fields: userFields,
  operations: ['list', 'show', 'create', 'update'],
  label: 'login',
  views: {
    list: KEYS,
    show: [...KEYS, 'mail_notifications', 'cached_usergroups', 'auth_source', 'roles', 'usergroups'],
    order: 'firstname',
  },
  readable: {
    effective_admin: {
      schema: () => z.boolean().meta({ description: 'Administrator, also through a user group.' }),
      sql: isAdministrator,
    },
    cached_usergroups: nestedList('All its groups, at any depth.', (_own, alias) => ({
      keys: {
        id: [z.int().meta({ description: 'Id of the group.' }), sql`g.id`],
        name: [z.string().meta({ description: 'Its name.' }), sql`g.name`],
      },
      from: sql`usergroups g where g.id in ${selectUsergroupIds(alias)}`,
      order: sql`g.name`,
    })),
  },
  search: [
    ...userSearch,
    {
      name: 'auth_source_type',
      type: 'text',
      column: 'type',
      through: [{ table: 'auth_sources', column: 'id', previous: 'auth_source_id' }],
      explicit: true,
    },
  ],
  visibility: { taxable: true },
  records: {
    where: (_ctx, alias) =>
      sql`exists (select from auth_sources s where s.id = ${sql.ref(`${alias}.auth_source_id`)} and s.type <> 'AuthSourceHidden')`,
    own: (ctx, alias) => sql`${sql.ref(`${alias}.id`)} = ${ctx.user.id}`,
    tables: ['auth_sources'],
  },
  rules: [
    // Machine accounts have no address, but one that was set cannot be removed.
    ({ mail }, _draft, _ctx, stored) => (stored?.mail && !mail ? { mail: ["can't be blank"] } : undefined),
    (_user, { admin }, ctx, stored) =>
      admin !== undefined && admin !== (stored?.admin ?? false) && !ctx.user.admin
        ? { admin: ['can be set by administrators only'] }
        : undefined,
  ],
  wrapWrite: userWrites,
  actions: [deleteUser, may],
} as const satisfies Definition
