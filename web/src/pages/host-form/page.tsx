import { FormPage } from '../../resources/form/page.tsx'

// The API manages a new host unless the request says no. What stands in a form is what is sent, so it says no until somebody
// says yes: a host that is only described needs nothing but a name.
const GIVEN = { managed: false }

/** Describes a new host. */
export function Page() {
  return <FormPage plural="hosts" given={GIVEN} />
}
