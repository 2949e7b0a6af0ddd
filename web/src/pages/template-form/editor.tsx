import { useContext, useMemo, useState } from 'react'
import { Code } from '../../editor/code.tsx'
import { mistakesOf } from '../../editor/mistakes-of.ts'
import type { HandWidgetProps } from '../../resources/form/field.tsx'
import { labelOf } from '../../words/words.ts'
import { useTemplateNames } from './names.ts'
import { Together } from './together.ts'

/** The editor of a template, which marks mistakes that saving or rendering found. */
export function Editor({ id, value, messages, onChange }: HandWidgetProps) {
  const { mistakes, setGoToLine, host } = useContext(Together)
  const [isUsed, setIsUsed] = useState(false)
  const names = useTemplateNames(host, isUsed)
  const all = useMemo(() => [...mistakes, ...mistakesOf(messages)], [mistakes, messages])
  return (
    <div onFocus={() => setIsUsed(true)}>
      <Code
        id={id}
        label={labelOf('template')}
        language="template"
        value={value}
        mistakes={all}
        names={names}
        isInvalid={messages.length > 0}
        describedBy={`${id}-help`}
        onReady={setGoToLine}
        onChange={onChange}
      />
    </div>
  )
}
