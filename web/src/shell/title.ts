import { useEffect } from 'react'
import { isolate, t } from '../words/words.ts'

/** Sets the title of the window, the most specific part first. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, t('app.name')].map(isolate).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
