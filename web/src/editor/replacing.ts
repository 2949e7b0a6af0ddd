import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Puts text that replaces a selection into the document directly. The browser would insert it with the look of the replaced
 * text in a style attribute, which the content security policy forbids.
 */
export function replaceDirectly(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { data, inputType } = event
      const range = findSelectedRange(view)
      if (inputType !== 'insertText' || data === null || view.composing || view.state.readOnly || !range) return false
      if (!view.contentDOM.contains(range.startContainer) || !view.contentDOM.contains(range.endContainer)) return false
      const from = view.posAtDOM(range.startContainer, range.startOffset)
      const to = view.posAtDOM(range.endContainer, range.endOffset)
      if (from === to) return false
      event.preventDefault()
      view.dispatch({
        changes: { from, to, insert: view.state.toText(data) },
        selection: { anchor: from + data.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
      return true
    },
  })
}

/** Yields the selected range, which editing events do not have in a shadow root. */
function findSelectedRange({ root }: EditorView): StaticRange | undefined {
  const shadowRoots = root instanceof ShadowRoot ? [root] : []
  return getSelection()?.getComposedRanges?.({ shadowRoots })[0]
}
