import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const formatToken = (name: string) => `var(--pf-t--global--${name})`

/** Uses the colours of the page, which follow light, dark and high contrast. */
const THEME = EditorView.theme({
  '&': {
    color: formatToken('text--color--regular'),
    backgroundColor: 'transparent',
    border: `1px solid ${formatToken('border--color--default')}`,
    borderRadius: formatToken('border--radius--small'),
    fontSize: formatToken('font--size--body--default'),
    maxHeight: '70vh',
  },
  '&.cm-focused': { outline: `2px solid ${formatToken('border--color--brand--default')}` },
  '.cm-scroller': { fontFamily: formatToken('font--family--mono'), lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: formatToken('text--color--regular'), minHeight: 'var(--mw-code-height, 3em)' },
  '.cm-gutters': { color: formatToken('text--color--subtle'), backgroundColor: 'transparent', border: 'none' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: `1px solid ${formatToken('border--color--brand--default')}`,
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.cm-specialChar': { color: formatToken('text--color--status--danger--default') },
  '.cm-tooltip': {
    color: formatToken('text--color--regular'),
    backgroundColor: formatToken('background--color--floating--default'),
    border: `1px solid ${formatToken('border--color--default')}`,
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: formatToken('text--color--inverse'),
    backgroundColor: formatToken('text--color--regular'),
  },
})

const STYLE = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.processingInstruction],
    color: formatToken('text--color--brand--default'),
    fontWeight: 'bold',
  },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: formatToken('text--color--link--default') },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp],
    color: formatToken('text--color--status--success--default'),
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.special(tags.variableName)],
    color: formatToken('text--color--status--custom--default'),
  },
  { tag: tags.comment, color: formatToken('text--color--subtle'), fontStyle: 'italic' },
])

export function looks(): Extension {
  return [THEME, syntaxHighlighting(STYLE)]
}
