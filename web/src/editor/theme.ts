import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const token = (name: string) => `var(--pf-t--global--${name})`

/** Uses the colours of the page, which follow light, dark and high contrast. */
const THEME = EditorView.theme({
  '&': {
    color: token('text--color--regular'),
    backgroundColor: 'transparent',
    border: `1px solid ${token('border--color--default')}`,
    borderRadius: token('border--radius--small'),
    fontSize: token('font--size--body--default'),
    maxHeight: '70vh',
  },
  '&.cm-focused': { outline: `2px solid ${token('border--color--brand--default')}` },
  '.cm-scroller': { fontFamily: token('font--family--mono'), lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: token('text--color--regular'), minHeight: 'var(--mw-code-height, 3em)' },
  '.cm-gutters': { color: token('text--color--subtle'), backgroundColor: 'transparent', border: 'none' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: `1px solid ${token('border--color--brand--default')}`,
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.cm-specialChar': { color: token('text--color--status--danger--default') },
  '.cm-tooltip': {
    color: token('text--color--regular'),
    backgroundColor: token('background--color--floating--default'),
    border: `1px solid ${token('border--color--default')}`,
  },
})

const STYLE = HighlightStyle.define([
  { tag: [tags.keyword, tags.processingInstruction], color: token('text--color--brand--default'), fontWeight: 'bold' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: token('text--color--link--default') },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp],
    color: token('text--color--status--success--default'),
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.special(tags.variableName)],
    color: token('text--color--status--custom--default'),
  },
  { tag: tags.comment, color: token('text--color--subtle'), fontStyle: 'italic' },
])

export function looks(): Extension {
  return [THEME, syntaxHighlighting(STYLE)]
}
