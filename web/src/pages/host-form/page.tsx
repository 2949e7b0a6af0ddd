import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { FormPage } from '../../resources/form/page.tsx'
import type { NoteProps } from '../../resources/form/parts.ts'
import { OF_ONE_HOST } from '../../resources/record/clone.ts'
import { TAKEN_OVER } from '../../resources/taken.ts'
import { TakenOver, useGroup } from '../../resources/taken-over.tsx'
import { Awaited } from '../../shell/awaited.tsx'
import { t } from '../../words/words.ts'
import { loadHost } from '../host/host.ts'
import { HostFrame } from './frame.tsx'
import { Preview } from './preview.tsx'
import { SECTIONS } from './sections.ts'

// The API manages a new host by default. The form sends what it shows, so that it begins with "not managed": a host that is
// only described needs nothing but a name.
const GIVEN = { managed: false }

const NOTES = { hostgroup_id: MovedNote }

/** With another group the service would take these of it: the form stores what it shows. */
const SENT_WITH = { hostgroup_id: TAKEN_OVER }

const FORM = {
  plural: 'hosts',
  sections: SECTIONS,
  hasContents: true,
  Beside: Preview,
  Frame: HostFrame,
  notes: NOTES,
  sentWith: SENT_WITH,
}

/** The form of a host, new or not. */
export function Page() {
  const [parameters] = useSearchParams()
  const { id } = useParams()
  const original = id === undefined ? parameters.get('clone') : null
  const { data, error, refetch } = useQuery({
    queryKey: ['host to clone', original],
    enabled: original !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => loadHost(original ?? '', signal),
  })
  if (original === null) return <FormPage {...FORM} given={GIVEN} />
  if (!data) return <Awaited data={data} error={error} refetch={refetch} />
  // Parameters of the clone are new ones.
  const parts = data.parameters.map(({ id: _, ...parameter }) => parameter)
  const copied = { record: { ...data, parameters: parts }, without: OF_ONE_HOST }
  return <FormPage key={original} {...FORM} given={{ managed: data.managed }} copied={copied} />
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
