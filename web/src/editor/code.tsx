import { lazy, Suspense } from 'react'
import type { CodeProps } from './code-mirror.tsx'

/** The editor is large, so that only pages that show one load it. */
const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

/**
 * A field for code, with highlighting and marked mistakes. Until the editor is loaded, the plain text is shown in as much room,
 * so that what has the focus below it is not pushed out of sight.
 */
export function Code(properties: CodeProps) {
  const { language, value } = properties
  const plain = (
    <pre className="mw-code mw-code-field" data-language={language}>
      {value}
    </pre>
  )
  return (
    <Suspense fallback={plain}>
      <CodeMirror {...properties} />
    </Suspense>
  )
}
