import { useSearchParams } from 'react-router'
import { FormPage } from '../../resources/form/page.tsx'
import { Reach } from './reach.tsx'

/** The form that starts a rollout; the address may name the hosts. */
export function Page() {
  const [parameters] = useSearchParams()
  const search = parameters.get('search')
  return <FormPage plural="config_rollouts" Beside={Reach} given={search === null ? {} : { search }} />
}
