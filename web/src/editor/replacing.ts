import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Text that is typed over other text goes into the document directly. The browser would first put it into the page with the
 * looks of what it replaces, as a style attribute, which the policy of the shell forbids.
 */
export function replaceDirectly(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { data, inputType } = event
      const range = selectedRange(view)
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

/** Events of editing name no ranges in a shadow root. */
function selectedRange({ root }: EditorView): StaticRange | undefined {
  const shadowRoots = root instanceof ShadowRoot ? [root] : []
  return getSelection()?.getComposedRanges?.({ shadowRoots })[0]
}
