import { useMemo, useRef, useState } from 'react'
import type { Mistake } from '../../editor/mistakes.ts'
import { FormPage } from '../../resources/form/page.tsx'
import type { Section } from '../../resources/form/sections.tsx'
import { Editor } from './editor.tsx'
import { Rendering } from './rendering.tsx'
import { Together } from './together.ts'

const SECTIONS: readonly Section[] = [
  { title: 'template.text', keys: ['name', 'template_kind_id', 'snippet', 'template'] },
]
const WIDGETS = { template: Editor }

/** The form of a template, with a preview of what a host would get from it. */
export function Page() {
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
    }),
    [mistakes],
  )
  return (
    <Together value={shared}>
      <FormPage plural="provisioning_templates" sections={SECTIONS} widgets={WIDGETS} Beside={Rendering} />
    </Together>
  )
}
