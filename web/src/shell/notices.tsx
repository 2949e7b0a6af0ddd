import { AlertActionCloseButton, AlertGroup } from '@patternfly/react-core'
import { useSyncExternalStore } from 'react'
import { t } from '../words/words.ts'
import { Alert } from './patternfly.tsx'

interface Notice {
  readonly id: number
  readonly variant: 'success' | 'danger' | 'info'
  readonly title: string
  readonly text: string
}

let notices: readonly Notice[] = []
let last = 0
const listeners = new Set<() => void>()
const SHOWN_MS = 8000

/** Shows a notice in a corner; a success disappears by itself. */
export function notify(variant: Notice['variant'], title: string, text = ''): void {
  const id = ++last
  change([...notices, { id, variant, title, text }])
  if (variant !== 'danger') setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Shows the notices of all pages. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <AlertGroup isToast isLiveRegion aria-label={t('notices.title')}>
      {shown.map(({ id, variant, title, text }) => (
        <Alert
          key={id}
          variant={variant}
          title={title}
          actionClose={<AlertActionCloseButton aria-label={t('action.close')} onClose={() => dismiss(id)} />}
        >
          {text}
        </Alert>
      ))}
    </AlertGroup>
  )
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id))
}

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
