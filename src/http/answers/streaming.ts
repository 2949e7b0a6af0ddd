import { Readable } from 'node:stream'

/**
 * Creates a stream of the texts or bytes that the iterator yields, no faster than they are read. Destroying the stream, as the server
 * does when the client is gone, aborts the signal at once, even while the iterator waits.
 */
export function createReadable(open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>): Readable {
  const gone = new AbortController()
  const iterator = open(gone.signal)[Symbol.asyncIterator]()
  return new Readable({
    read() {
      iterator.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      )
    },
    destroy(error, callback) {
      gone.abort()
      iterator.return?.().catch(() => undefined) // an iterator that ignores the signal ends with its next piece
      callback(error)
    },
  })
}
