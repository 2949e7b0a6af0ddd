import { useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { apiPathOf, type Where } from '../resources.ts'
import { type Body, bodyOf, type FormValues } from './values.ts'

/**
 * Yields the body that gives a record back what a form has changed; null where that is not known: a secret, and rows whose
 * ids a deletion has ended.
 */
export function bodyOfUndo(
  fields: readonly FormField[],
  { before, after }: { readonly before: FormValues; readonly after: FormValues },
): Body | null {
  const changed = fields.filter(({ key }) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  if (changed.length === 0 || changed.some(({ widget, isParts }) => widget === 'secret' || isParts)) return null
  const { body, mistakes } = bodyOf(changed, before, after)
  return Object.keys(mistakes).length === 0 ? body : null
}

/** What is undone: the record, its tag after the change, and the values that it had. */
interface Undone {
  readonly id: string
  readonly etag: string | null
  readonly values: Body
}

/** Yields a function that says what was done, and offers for some seconds to undo it. */
export function useUndo(where: Where): (text: string, undone: Undone) => void {
  const queries = useQueryClient()
  const { word } = where.resource
  async function undo({ id, etag, values }: Undone): Promise<void> {
    try {
      // What somebody else has changed meanwhile stays.
      const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
      await sendRequest(apiPathOf(where, id, 'update'), { method: 'PUT', body: { [word]: values }, headers })
      await queries.invalidateQueries()
      notify('success', t('undo.done'))
    } catch (error) {
      const { title, text } = wordsOfProblem(error)
      notify('danger', title, text)
    }
  }
  return (text, undone) => notify('success', text, '', { title: t('action.undo'), act: () => void undo(undone) })
}
