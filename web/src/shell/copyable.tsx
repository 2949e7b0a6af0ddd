import { ClipboardCopy } from '@patternfly/react-core'
import { useState } from 'react'
import { t } from '../words/words.ts'

interface CopyableProps {
  readonly text: string
  /** What the text is, for those who do not see it. */
  readonly label: string
}

/** A text with a button that copies it, and says whether that has worked. */
export function Copyable({ text, label }: CopyableProps) {
  const [isRefused, setRefused] = useState(false)
  return (
    <ClipboardCopy
      isReadOnly
      hoverTip={t('action.copy')}
      clickTip={t(isRefused ? 'action.copy.refused' : 'action.copied')}
      textAriaLabel={label}
      onCopy={() => void copyText(text).then((isCopied) => setRefused(!isCopied))}
    >
      {text}
    </ClipboardCopy>
  )
}

/** Copies a text, and tells whether the browser has let it. Pages without TLS have no clipboard, only the older command. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', give, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', give)
  return isCopied
}
