/** A server-sent event. */
export interface ServerEvent {
  readonly name: string
  readonly id: string
  readonly data: string
}

/** Parses server-sent events as they arrive. */
export async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncIterable<ServerEvent> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string): ServerEvent {
  const lines = block.split('\n')
  const fieldOf = (field: string) =>
    lines
      .flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : []))
      .join('\n')
  return { name: fieldOf('event') || 'message', id: fieldOf('id'), data: fieldOf('data') }
}
