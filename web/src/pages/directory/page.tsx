import { FormPage } from '../../resources/form/page.tsx'
import type { BesideProps } from '../../resources/form/parts.ts'
import type { Section } from '../../resources/form/sections.tsx'
import { Trial } from './trial.tsx'

/** The fields of the form in groups, in the order in which users know them. */
const SECTIONS: readonly Section[] = [
  { title: 'directory.server', keys: ['name', 'host', 'port', 'tls', 'start_tls', 'ca_certificate', 'server_type'] },
  { title: 'directory.account', keys: ['account', 'account_password'] },
  { title: 'directory.people', keys: ['base_dn', 'attr_login', 'ldap_filter', 'onthefly_register'] },
  { title: 'directory.groups', keys: ['groups_base', 'usergroup_sync', 'use_netgroups'] },
]

/** The form of a directory, whose settings can be tested step by step before they are saved. */
export function Page() {
  return <FormPage plural="auth_source_ldaps" sections={SECTIONS} Beside={DirectoryTrial} />
}

function DirectoryTrial(props: BesideProps) {
  return <Trial {...props} plural="auth_source_ldaps" />
}
