import { useState } from 'react'
import { FormPage, type Section } from '../../resources/form/page.tsx'
import { Editor } from './editor.tsx'
import { Mistake } from './mistake.ts'
import { Rendering } from './rendering.tsx'

const SECTIONS: readonly Section[] = [
  { title: 'template.text', keys: ['name', 'template_kind_id', 'snippet', 'template'] },
]
const WIDGETS = { template: Editor }

/** A template: its text, and beside it what a host would get of it, before it is saved. */
export function Page() {
  const [line, setLine] = useState<number | null>(null)
  return (
    <Mistake value={{ line, setLine }}>
      <FormPage plural="provisioning_templates" sections={SECTIONS} widgets={WIDGETS} Beside={Rendering} />
    </Mistake>
  )
}
