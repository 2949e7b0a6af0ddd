import { useSearchParams } from 'react-router'
import { FormPage } from '../../resources/form/page.tsx'
import { Reach } from './reach.tsx'

/** Starts runs of many hosts; the address may say which. */
export function Page() {
  const [parameters] = useSearchParams()
  const search = parameters.get('search')
  return <FormPage plural="config_rollouts" Beside={Reach} given={search === null ? {} : { search }} />
}
