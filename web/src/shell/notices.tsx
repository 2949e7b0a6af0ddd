import { AlertActionCloseButton, AlertActionLink, AlertGroup } from '@patternfly/react-core'
import { useSyncExternalStore } from 'react'
import { t } from '../words/words.ts'
import { Alert } from './patternfly.tsx'

interface Notice {
  readonly id: number
  readonly variant: 'success' | 'danger' | 'info'
  readonly title: string
  readonly text: string
  readonly action: NoticeAction | null
}

/** What can be done about a notice while it is shown. */
export interface NoticeAction {
  readonly title: string
  readonly act: () => void
}

let notices: readonly Notice[] = []
let last = 0
const listeners = new Set<() => void>()
const SHOWN_MS = 8000
const SHOWN_WITH_ACTION_MS = 10_000

/** Shows a notice in a corner; a success disappears by itself. */
export function notify(variant: Notice['variant'], title: string, text = '', action: NoticeAction | null = null): void {
  const id = ++last
  change([...notices, { id, variant, title, text, action }])
  if (variant !== 'danger') setTimeout(() => dismiss(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}

/** Shows the notices of all pages. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <AlertGroup isToast isLiveRegion aria-label={t('notices.title')}>
      {shown.map(({ id, variant, title, text, action }) => (
        <Alert
          key={id}
          variant={variant}
          title={title}
          actionLinks={
            action && (
              <AlertActionLink
                onClick={() => {
                  dismiss(id)
                  action.act()
                }}
              >
                {action.title}
              </AlertActionLink>
            )
          }
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
