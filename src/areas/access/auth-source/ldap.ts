import { z } from 'zod'
import { defineResource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { testStored, testUnsaved } from './diagnosis.ts'
import { directoryWrites } from './guard.ts'
import { ldapFields, validateLdapSource } from './ldap-fields.ts'

const CONNECTION = [
  'host',
  'port',
  'account',
  'base_dn',
  'ldap_filter',
  'attr_login',
  'attr_firstname',
  'attr_lastname',
  'attr_mail',
  'attr_photo',
  'onthefly_register',
  'usergroup_sync',
  'tls',
  'start_tls',
  'ca_certificate',
  'server_type',
  'groups_base',
  'use_netgroups',
  'created_at',
  'updated_at',
  'id',
  'type',
  'name',
]

/** Directory sources (spec 2.3 and 4.2, core-api §1.3). */
export const ldapAuthSources = defineResource({
  name: 'auth_source_ldap',
  routes: { notInBatch: true, invalidates: 'identities' },
  words: {
    type: 'AuthSource',
    called: (stored) => `LDAP-${stored.name}`,
  },
  permissions: { word: 'authenticators' },
  summary: 'A directory that users log in through.',
  fields: ldapFields,
  label: 'name',
  views: {
    list: [...CONNECTION, 'locations', 'organizations'],
    show: [...CONNECTION, 'external_usergroups', 'locations', 'organizations'],
    deleted: [
      'id',
      'name',
      'host',
      'port',
      'account',
      'base_dn',
      'attr_login',
      'attr_firstname',
      'attr_lastname',
      'attr_mail',
      'onthefly_register',
      'tls',
      'start_tls',
      'ca_certificate',
      'created_at',
      'updated_at',
      'ldap_filter',
      'attr_photo',
      'server_type',
      'groups_base',
      'usergroup_sync',
      'use_netgroups',
    ],
  },
  readable: {
    type: {
      schema: () => z.literal('AuthSourceLdap').meta({ description: 'The kind of the source.' }),
      sql: () => sql`'AuthSourceLdap'`,
    },
  },
  visibility: { taxable: true },
  records: { where: (_ctx, alias) => sql`${sql.ref(`${alias}.type`)} = 'AuthSourceLdap'`, table: 'auth_sources' },
  rules: [validateLdapSource],
  wrapWrite: directoryWrites,
  actions: [testStored, testUnsaved],
})
