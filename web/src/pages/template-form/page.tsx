import { useMemo, useRef, useState } from 'react'
import type { Mistake } from '../../editor/mistakes.ts'
import { FormPage } from '../../resources/form/page.tsx'
import type { Section } from '../../resources/form/sections.tsx'
import { useTemplates } from '../template/templates.ts'
import { Editor } from './editor.tsx'
import { Rendering } from './rendering.tsx'
import { Together } from './together.ts'

const SECTIONS: readonly Section[] = [
  { title: 'template.text', keys: ['name', 'template_kind_id', 'os_family', 'snippet', 'template', 'layout'] },
]
const WIDGETS = { template: Editor, layout: Editor }

/** The form of a template or partition table, with a preview of what a host would get from it. */
export function Page() {
  const plural = useTemplates()
  const [host, setHost] = useState<number | null>(null)
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  const go = useRef<(line: number) => void>(null)
  const shared = useMemo(
    () => ({
      mistakes,
      setMistakes,
      goToLine: (line: number) => go.current?.(line),
      setGoToLine: (next: (line: number) => void) => {
        go.current = next
      },
      host,
      setHost,
    }),
    [mistakes, host],
  )
  return (
    <Together value={shared}>
      <FormPage plural={plural} sections={SECTIONS} widgets={WIDGETS} Beside={Rendering} />
    </Together>
  )
}
