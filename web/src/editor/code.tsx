import { lazy, Suspense } from 'react'
import type { CodeProps } from './code-mirror.tsx'

/** It is large: only pages that show one load it, and only then. */
const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }))

/** A field for code: highlighted, with what is wrong at its lines. Until the editor is there, its text is. */
export function Code(properties: CodeProps) {
  return (
    <Suspense fallback={<pre className="mw-code mw-code-field">{properties.value}</pre>}>
      <CodeMirror {...properties} />
    </Suspense>
  )
}
