import { useQueryClient } from '@tanstack/react-query'
import { may, useCaller } from '../../api/session.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { useKept } from '../../shell/drafts.ts'
import { t } from '../../words/words.ts'
import { linesOf, type Parameter } from './parameter.ts'
import { usePreview } from './preview.tsx'

export const SWITCHES = ['override', 'merge_overrides', 'merge_default', 'avoid_duplicates'] as const

// A type alias, because an interface would not be assignable to the values of a form.
type Typed = Readonly<Record<'override_value_order', string> & Record<(typeof SWITCHES)[number], boolean>>

/** Unsaved changes, and the values when editing began. */
interface Begun {
  readonly before: Typed
  readonly typed: Typed
  readonly etag: string | null
}

export type Rules = ReturnType<typeof useRules>

/** Yields the order of matchers and their merging rules as they are edited, until they are saved. */
export function useRules(parameter: Parameter, etag: string | null) {
  const caller = useCaller()
  const [begun, setBegun] = useKept<Begun | null>('rules', null)
  const queries = useQueryClient()
  const preview = usePreview(() => {
    // Saved values are shown until they have been loaded again; what was typed since then stays.
    const forget = () => setBegun((now) => (now === begun ? null : now))
    void queries.invalidateQueries({ queryKey: ['record'] }).then(forget)
  })
  const shown = typedOf(parameter)
  const { before, typed } = begun ?? { before: shown, typed: shown }
  const lines = linesOf(typed)
  const changed = differenceOf(typed, before)
  const applyTyped = (more: Partial<Typed>) => {
    // The preview is out of date.
    preview.drop()
    const next = { ...typed, ...more }
    if (isSame(next, before)) setBegun(null)
    else setBegun({ etag, ...begun, before, typed: next })
  }
  const order = (next: readonly string[]) => applyTyped({ override_value_order: next.join('\n') })
  return {
    mayEdit: may(caller, ['edit_external_parameters', 'edit_configclasses']),
    preview,
    typed,
    lines,
    isChanged: Object.keys(changed).length > 0,
    type: applyTyped,
    order,
    /** Moves a line of the order. */
    move: (from: number, to: number) => {
      const next = [...lines]
      const [line = ''] = next.splice(from, 1)
      next.splice(to, 0, line)
      order(next)
    },
    look: () => {
      // Other changes of the parameter since then, such as of its matchers, are shown already and do not conflict.
      const since = isSame(before, shown) ? etag : (begun?.etag ?? null)
      const take = () => {
        preview.drop()
        setBegun(null)
      }
      preview.look({
        path: `/api/smart_class_parameters/${parameter.id}`,
        method: 'PUT',
        body: { smart_class_parameter: changed },
        title: t('matcher.rules'),
        since: { etag: since, before, mine: typed, valuesOf, take },
      })
    },
  }
}

function typedOf(parameter: Parameter): Typed {
  const is = (key: (typeof SWITCHES)[number]) => parameter[key] === true
  return {
    override_value_order: linesOf(parameter).join('\n'),
    override: is('override'),
    merge_overrides: is('merge_overrides'),
    merge_default: is('merge_default'),
    avoid_duplicates: is('avoid_duplicates'),
  }
}

function valuesOf(record: ApiRecord): Typed {
  return typedOf(record as unknown as Parameter) // the path of a parameter answers with one
}

function differenceOf(typed: Typed, before: Typed): Partial<Typed> {
  return Object.fromEntries(Object.entries(typed).filter(([key, value]) => value !== before[key as keyof Typed])) // the keys of the form
}

function isSame(one: Typed, other: Typed): boolean {
  return Object.keys(differenceOf(one, other)).length === 0
}
