import { lazy, Suspense } from 'react'
import type { CodeProps } from './code-mirror.tsx'

/** The editor is large, so that only pages that show one load it. */
const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

/** A field for code, with highlighting and marked mistakes. Until the editor is loaded, the plain text is shown. */
export function Code(properties: CodeProps) {
  return (
    <Suspense fallback={<pre className="mw-code mw-code-field">{properties.value}</pre>}>
      <CodeMirror {...properties} />
    </Suspense>
  )
}
