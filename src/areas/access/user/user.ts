import { z } from 'zod'
import type { Definition } from '../../../kernel/index.ts'
import { nestedList } from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { deleteUser } from './delete.ts'
import { userFields } from './fields.ts'
import { isAdministrator, selectUsergroupIds } from './groups.ts'
import { userWrites } from './guard.ts'
import { may } from './may.ts'
import { userSearch } from './search.ts'

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
  around: userWrites,
  actions: [deleteUser, may],
} as const satisfies Definition
