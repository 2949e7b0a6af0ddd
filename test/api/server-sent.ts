/** A server-sent event. */
export interface SentEvent {
  readonly event: string
  readonly id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  readonly data: any
}

/** Parses server-sent events. */
export async function* eventsOf(sent: Promise<Response>): AsyncGenerator<SentEvent, void> {
  const response = await sent
  if (response.status !== 200) throw new Error(`expected 200, got ${response.status}: ${await response.text()}`)
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = eventOf(text.slice(0, end))
      text = text.slice(end + 2)
      if (event) yield event
    }
  }
  if (text !== '') throw new Error(`the stream ended in the middle of an event: ${text}`)
}

/** Parses one event; null for comments. */
function eventOf(block: string): SentEvent | null {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return null
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) }
}
