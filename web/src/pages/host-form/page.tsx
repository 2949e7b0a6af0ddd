import { FormPage, type NoteProps } from '../../resources/form/page.tsx'
import { TAKEN_OVER } from '../../resources/taken.ts'
import { TakenOver, useGroup } from '../../resources/taken-over.tsx'
import { t } from '../../words/words.ts'

// The API manages a new host by default. The form sends what it shows, so that it begins with "not managed": a host that is
// only described needs nothing but a name.
const GIVEN = { managed: false }

const NOTES = { hostgroup_id: MovedNote }

/** With another group the service would take these of it: the form stores what it shows. */
const SENT_WITH = { hostgroup_id: TAKEN_OVER }

/** The form of a host, new or not. */
export function Page() {
  return <FormPage plural="hosts" given={GIVEN} notes={NOTES} sentWith={SENT_WITH} />
}

/** Says what the other group gives, and that the form does not take it over by itself. */
function MovedNote({ value, record }: NoteProps) {
  const chosen = Array.isArray(value) ? value[0]?.id : undefined
  const group = useGroup(record === null || chosen === record.hostgroup_id ? undefined : chosen)
  if (!group || record === null) return null
  return (
    <>
      <TakenOver group={group} hosts={[record]} count={1} title="move.gives" />
      <p className="mw-hint">{t('move.form')}</p>
    </>
  )
}
