import type { ldapFields } from './ldap-fields.ts'

/**
 * What a field of a directory decides: `login`, who is asked and who may come in; `follows`, what is taken over of them and
 * which groups they join; `registers`, whether unknown people may come in; `nothing` of that.
 */
export type Effect = 'login' | 'follows' | 'registers' | 'nothing'

/** Docs/decisions/0015-secrets-and-destinations.md. Who adds a field says what it decides. */
export const EFFECTS = {
  name: 'nothing',
  host: 'login',
  port: 'login',
  tls: 'login',
  start_tls: 'login',
  ca_certificate: 'login',
  account: 'login',
  // With another password the same server answers the same questions, or none. It is never compared: whoever could see
  // whether it differs could guess it.
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

/** The fields that decide one of these. */
export function listFieldsWith(...effects: readonly Effect[]): readonly string[] {
  return Object.entries(EFFECTS).flatMap(([name, effect]) => (effects.includes(effect) ? [name] : []))
}
