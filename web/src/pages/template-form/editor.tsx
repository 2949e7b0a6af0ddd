import { useContext, useRef } from 'react'
import type { HandWidgetProps } from '../../resources/form/field.tsx'
import { lineOf, Mistake } from './mistake.ts'

const LEAST_LINES = 12
const MOST_LINES = 40

/** A text with the numbers of its lines; those that something is wrong with stand out. */
export function Editor({ id, value, messages, onChange }: HandWidgetProps) {
  const { line } = useContext(Mistake)
  const numbers = useRef<HTMLPreElement>(null)
  const count = value.split('\n').length
  const wrong = new Set([line, ...messages.map(lineOf)])
  return (
    <div className="mw-editor">
      <pre ref={numbers} className="mw-lines" aria-hidden="true">
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <span key={place} className={wrong.has(place + 1) ? 'mw-wrong-line' : undefined}>
            {`${place + 1}\n`}
          </span>
        ))}
      </pre>
      <textarea
        id={id}
        name={id}
        className="mw-editor-text"
        value={value}
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, count + 1))}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-describedby={`${id}-help`}
        aria-invalid={messages.length > 0 || undefined}
        onChange={(event) => onChange(event.target.value)}
        onScroll={({ currentTarget }) => {
          if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop
        }}
      />
    </div>
  )
}
