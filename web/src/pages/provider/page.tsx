import { FormPage } from '../../resources/form/page.tsx'
import type { BesideProps } from '../../resources/form/parts.ts'
import type { Section } from '../../resources/form/sections.tsx'
import { Trial } from '../directory/trial.tsx'
import { useTrial } from '../directory/trial-state.ts'

/** The fields of the form in groups, in the order in which they are known. */
const SECTIONS: readonly Section[] = [
  { title: 'provider.server', keys: ['name', 'issuer', 'client_id', 'client_secret', 'ca_certificate'] },
  { title: 'provider.claims', keys: ['scopes', 'attr_login', 'attr_groups'] },
  { title: 'provider.people', keys: ['onthefly_register', 'usergroup_sync', 'audience'] },
]

/** The form of a provider, whose settings can be tested step by step before they are saved. */
export function Page() {
  return <FormPage plural="auth_source_oidcs" sections={SECTIONS} Beside={ProviderTrial} />
}

function ProviderTrial(props: BesideProps) {
  return <Trial {...props} trial={useTrial('auth_source_oidcs')} />
}
