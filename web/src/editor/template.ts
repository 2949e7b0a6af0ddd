import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language'
import { ruby } from '@codemirror/legacy-modes/mode/ruby'
import type { Extension } from '@codemirror/state'

interface State {
  /** The state of the code mode inside a tag; null outside, undefined inside a comment. */
  code: unknown
}

/** Parses text with tags: `<%`, `<%=` and the like contain code, `<%#` a comment; everything else is text. */
const PARSER: StreamParser<State> = {
  name: 'template',
  startState: () => ({ code: null }),
  copyState: ({ code }) => ({ code: code && ruby.copyState ? ruby.copyState(code) : code }),
  token: (stream, state) => (state.code === null ? readText(stream, state) : readTag(stream, state)),
  languageData: { commentTokens: { block: { open: '<%#', close: '%>' } } },
}

export function createTemplateLanguage(): Extension {
  return StreamLanguage.define(PARSER)
}

function readText(stream: StringStream, state: State): string | null {
  if (stream.match('<%%')) return null
  const open = stream.match(/^<%[=#-]?=?/)
  if (open) {
    state.code = stream.current().startsWith('<%#') ? undefined : ruby.startState?.(stream.indentUnit)
    return 'processingInstruction'
  }
  const next = stream.string.indexOf('<%', stream.pos)
  if (next < 0) stream.skipToEnd()
  else stream.pos = next
  return null
}

/** Reads a tag: the code mode sees the line up to the end of the tag, which ends it even inside a string. */
function readTag(stream: StringStream, state: State): string | null {
  if (stream.match(/^-?%>/)) {
    state.code = null
    return 'processingInstruction'
  }
  const whole = stream.string
  const end = whole.slice(stream.pos).search(/-?%>/)
  if (state.code === undefined) {
    if (end < 0) stream.skipToEnd()
    else stream.pos += end
    return 'comment'
  }
  if (end >= 0) stream.string = whole.slice(0, stream.pos + end)
  try {
    return ruby.token(stream, state.code)
  } finally {
    stream.string = whole
  }
}
