import { FormPage } from '../../resources/form/page.tsx'

// The API manages a new host by default. The form sends what it shows, so that it begins with "not managed": a host that is
// only described needs nothing but a name.
const GIVEN = { managed: false }

/** The form of a new host. */
export function Page() {
  return <FormPage plural="hosts" given={GIVEN} />
}
