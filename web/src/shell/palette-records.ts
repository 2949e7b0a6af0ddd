import { useQueries } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { sendRequest } from '../api/client.ts'
import { type Caller, may } from '../api/session.ts'
import type { ResourceShort } from '../resources/description.ts'
import { findResource, listResources, pathOfRecord, recordsOf, textOf } from '../resources/resources.ts'
import { nameOf } from '../words/words.ts'

/** A record to choose in the palette. */
export interface RecordChoice {
  readonly to: string
  readonly title: string
  readonly kind: string
}

/** The resources that are searched while the user types, because they are wanted most. */
const FIRST = [
  'hosts',
  'hostgroups',
  'configclasses',
  'provisioning_templates',
  'activation_keys',
  'users',
  'subnets',
  'domains',
]
/** The number of other resources that are searched at once after a pause, to limit the load on the service. */
const AT_ONCE = 6
const PAUSE_MS = 300
const SHOWN = 5
const LEAST_LETTERS = 2

interface PaletteRecord {
  readonly choices: readonly RecordChoice[]
  /** Whether a search is still running. */
  readonly isBusy: boolean
}

/** The history shows audits. */
const UNSOUGHT = new Set(['audits'])

/** Finds records of all kinds by a part of their names, those of the most wanted kinds first. */
export function useRecordChoices(typed: string, caller: Caller): PaletteRecord {
  const text = useDeferredValue(typed)
  const rested = useRested(text)
  const steps = listSteps(caller)
  const isOn = text.length >= LEAST_LETTERS
  const [ended, setEnded] = useState({ text: '', step: 0 })
  const reached = ended.text === text ? ended.step : 0
  const found = useQueries({
    queries: steps.map((resources, step) => ({
      queryKey: ['palette', step, text],
      enabled: isOn && (step === 0 || (rested === text && step <= reached)),
      retry: false,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await Promise.all(resources.map((resource) => search(resource, text, signal)))).flat(),
    })),
  })
  const done = found.findIndex(({ isFetched }) => !isFetched)
  const step = done === -1 ? steps.length : done
  useEffect(() => setEnded({ text, step }), [text, step])
  // What was just typed is searched a moment later: until then nobody knows that there is nothing.
  const isBusy = typed.length >= LEAST_LETTERS && (typed !== text || step < steps.length)
  return { choices: isOn ? found.flatMap(({ data = [] }) => data) : [], isBusy }
}

function listSteps(caller: Caller): ResourceShort[][] {
  const isSought = ({ operations: { list, show }, plural, within }: ResourceShort) =>
    !UNSOUGHT.has(plural) &&
    list !== undefined &&
    show !== undefined &&
    within === null &&
    may(caller, list.permissions)
  const first = FIRST.flatMap((plural) => findResource(plural) ?? []).filter(isSought)
  const others = listResources().filter((resource) => isSought(resource) && !first.includes(resource))
  const count = Math.ceil(others.length / AT_ONCE)
  return [first, ...Array.from({ length: count }, (_, at) => others.slice(at * AT_ONCE, (at + 1) * AT_ONCE))]
}

/** Searches one resource; one that cannot be searched by a word, or not in this scope, yields nothing. */
async function search(resource: ResourceShort, text: string, signal: AbortSignal): Promise<RecordChoice[]> {
  const quoted = /^\w+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
  const query = { search: quoted, per_page: SHOWN }
  const answer = await sendRequest(resource.operations.list?.path ?? '', { query, signal }).catch(() => null)
  return recordsOf(answer?.body.results).map((record) => ({
    to: pathOfRecord(resource, record),
    title: textOf(record, resource),
    kind: nameOf(resource.plural, 'one'),
  }))
}

/** Yields the text once it has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
