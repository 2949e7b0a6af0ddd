import type { Context, Followers } from '../../../context.ts'
import type { Registry } from '../../../kernel/index.ts'
import { EVENTS } from '../../runs/index.ts'
import { numberEvents, readExtent } from './number-events.ts'
import { type EventFilter, readEvents } from './read-events.ts'

const HEARTBEAT_MS = 15_000
/** The events that are read at a time: what a slow client needs memory for. */
const PORTION = 200

interface FollowOptions {
  readonly after: number
  readonly signal: AbortSignal
  readonly followers: Followers
}

/**
 * Yields events as server-sent ones, each with its number as id. The next are read once the client has taken those before.
 * `renew` yields the reader with the rights of that moment; the stream ends when they may not read it any more, or when the
 * next events are no longer kept.
 */
export async function* followEvents(
  renew: () => Promise<Context | null>,
  registry: Registry,
  filter: EventFilter,
  { after, signal, followers }: FollowOptions,
): AsyncGenerator<string> {
  using follower = followers.follow(EVENTS)
  let position = after
  yield ': welcome\n\n'
  for (;;) {
    const ctx = await renew()
    if (!ctx) return
    await numberEvents(ctx.db)
    const { oldest, last } = await readExtent(ctx.db)
    if (position < oldest - 1) return
    const page = await readEvents(ctx, registry, filter, { after: position, upTo: last, limit: PORTION })
    if (page.events.length > 0)
      yield page.events
        .map(({ number, event }) => `id: ${number}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
    position = page.last
    if (signal.aborted) return
    if (position < last) continue
    const why = await follower.change(HEARTBEAT_MS, signal)
    if (why === 'closed') return
    if (why === 'timeout') yield ': keep-alive\n\n'
  }
}
