import type { ldapFields } from './ldap-fields.ts'
import type { oidcFields } from './oidc-fields.ts'

/**
 * The effect of a field of a source. `login`: the server and the people who may log in. `follows`: copied
 * data of people, and their groups. `registers`: whether unknown people may log in. `nothing`: none of these.
 */
export type Effect = 'login' | 'follows' | 'registers' | 'nothing'

/** The effect of each field of a directory (docs/decisions/0015-secrets-and-destinations.md). A new field has to be added here. */
export const LDAP_EFFECTS = {
  name: 'nothing',
  host: 'login',
  port: 'login',
  tls: 'login',
  start_tls: 'login',
  ca_certificate: 'login',
  account: 'login',
  // Another password can change nothing but whether the server answers. It is never compared with the stored one:
  // whether it differs would help to guess it.
  account_password: 'nothing',
  base_dn: 'login',
  ldap_filter: 'login',
  attr_login: 'login',
  server_type: 'login',
  groups_base: 'follows',
  attr_firstname: 'follows',
  attr_lastname: 'follows',
  attr_mail: 'follows',
  attr_photo: 'follows',
  usergroup_sync: 'follows',
  use_netgroups: 'follows',
  onthefly_register: 'registers',
  type: 'nothing',
  external_usergroups: 'nothing', // links have a guard of their own
  locations: 'nothing',
  organizations: 'nothing',
} as const satisfies Readonly<Record<keyof typeof ldapFields, Effect>>

/** The effect of each field of a provider. */
export const OIDC_EFFECTS = {
  name: 'nothing',
  issuer: 'login',
  client_id: 'login',
  client_secret: 'nothing',
  ca_certificate: 'login',
  scopes: 'login',
  algorithms: 'login',
  audience: 'login',
  clock_skew: 'login',
  attr_login: 'login',
  attr_firstname: 'follows',
  attr_lastname: 'follows',
  attr_mail: 'follows',
  attr_groups: 'follows',
  usergroup_sync: 'follows',
  onthefly_register: 'registers',
  type: 'nothing',
  external_usergroups: 'nothing', // links have a guard of their own
  locations: 'nothing',
  organizations: 'nothing',
} as const satisfies Readonly<Record<keyof typeof oidcFields, Effect>>

/** The fields that have one of these effects. */
export function listFieldsWith(
  table: Readonly<Record<string, Effect>>,
  ...effects: readonly Effect[]
): readonly string[] {
  return Object.entries(table).flatMap(([name, effect]) => (effects.includes(effect) ? [name] : []))
}
