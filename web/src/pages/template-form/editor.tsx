import { useContext, useMemo } from 'react'
import { Code } from '../../editor/code.tsx'
import { mistakesOf } from '../../editor/mistakes-of.ts'
import type { HandWidgetProps } from '../../resources/form/field.tsx'
import { labelOf } from '../../words/words.ts'
import { useLoadNames } from './names.ts'
import { Together } from './together.ts'

/** The editor of a template, which marks mistakes that saving or rendering found. */
export function Editor({ id, value, messages, onChange }: HandWidgetProps) {
  const { mistakes, setGoToLine, host } = useContext(Together)
  const loadNames = useLoadNames(host)
  const all = useMemo(() => [...mistakes, ...mistakesOf(messages)], [mistakes, messages])
  return (
    <Code
      id={id}
      label={labelOf('template')}
      language="template"
      value={value}
      mistakes={all}
      loadNames={loadNames}
      isInvalid={messages.length > 0}
      describedBy={`${id}-help`}
      onReady={setGoToLine}
      onChange={onChange}
    />
  )
}
