/**
 * The output of one run as it is kept: the first 256 KiB and the last 768 KiB of it, in pieces with numbers. Pure: the
 * caller stores what `take` gives, every now and then, so that after a crash only what came since the last time is missing.
 */
import { TextDecoder } from 'node:util'
import type { RunStream } from './runners/runner.ts'

/** How much of the beginning and of the end is kept, in bytes of UTF-8. */
export const HEAD_BYTES = 256 * 1024
export const TAIL_BYTES = 768 * 1024
/** Tiny pieces cost more than their text, so their number is limited, too. */
const HEAD_PIECES = 4_096
const TAIL_PIECES = 12_288
/** How many bytes of output make one piece at most. */
const PIECE_BYTES = 16 * 1024

/** A row of the log. Followers ask for numbers above the last one they have; where numbers are missing, output was left out. */
export interface OutputPiece {
  readonly number: number
  readonly stream: RunStream
  /** Without NUL and broken characters, as PostgreSQL wants it. */
  readonly text: string
}

/** What has changed since it was last asked; may be applied again. */
export interface OutputChange {
  /** To be stored, replacing what has the same number. */
  readonly pieces: readonly OutputPiece[]
  /** Stored before, to be deleted: these numbers and all between. */
  readonly gone: { readonly from: number; readonly to: number } | null
}

export interface Output {
  /** Takes output as it came, or a remark of the service. */
  push(stream: RunStream, chunk: Uint8Array | string): void
  /** What is to be stored now, null when nothing is new. */
  take(): OutputChange | null
  /** No more comes: like `take`, with characters that were never completed. */
  end(): OutputChange | null
  /** How many bytes between beginning and end are not kept. */
  leftOut(): number
}

/** Keeps the output of a run. Numbers begin after the given one, for a run that goes on where another process left it. */
export function openOutput({ after = 0 }: { readonly after?: number } = {}): Output {
  const decoders = new Map<RunStream, TextDecoder>()
  const head: Keep = { pieces: [], bytes: 0 }
  const tail: Keep = { pieces: [], bytes: 0 }
  let isHeadFull = false
  /** The number of the first piece that was left out, under which is told how much is missing. */
  let gap: number | null = null
  let last = after
  let taken = after
  let leftOut = 0
  let leftOutTaken = 0

  function push(stream: RunStream, chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      add(stream, decoderOf(stream).decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }))
    }
  }

  function decoderOf(stream: RunStream): TextDecoder {
    const decoder = decoders.get(stream) ?? new TextDecoder('utf-8', { ignoreBOM: true })
    decoders.set(stream, decoder)
    return decoder
  }

  function add(stream: RunStream, decoded: string): void {
    const text = decoded.replaceAll('\0', '\uFFFD')
    if (isHeadFull) {
      addToTail(stream, text)
      return
    }
    const [fitting, rest] = cut(text, HEAD_BYTES - head.bytes)
    append(head, stream, fitting)
    isHeadFull = rest !== '' || head.pieces.length >= HEAD_PIECES
    addToTail(stream, rest)
  }

  function addToTail(stream: RunStream, text: string): void {
    append(tail, stream, text)
    while (tail.bytes > TAIL_BYTES || tail.pieces.length > TAIL_PIECES) {
      const { number, bytes } = tail.pieces.shift() ?? { number: last, bytes: 0 }
      gap ??= number
      tail.bytes -= bytes
      leftOut += bytes
    }
  }

  /** As a piece of its own, or as more of the last one while nobody has taken that. */
  function append(keep: Keep, stream: RunStream, text: string): void {
    if (text === '') return
    const bytes = Buffer.byteLength(text)
    const open = keep.pieces.at(-1)
    keep.bytes += bytes
    if (open && open.stream === stream && open.number > taken && open.bytes + bytes <= PIECE_BYTES) {
      open.text += text
      open.bytes += bytes
      return
    }
    keep.pieces.push({ number: ++last, stream, text, bytes })
  }

  function take(): OutputChange | null {
    const isLonger = leftOut > leftOutTaken
    if (last === taken && !isLonger) return null
    const pieces = [...head.pieces, ...tail.pieces].filter(({ number }) => number > taken).map(bare)
    let gone: OutputChange['gone'] = null
    if (gap !== null && isLonger) {
      pieces.push({ number: gap, stream: 'service', text: remark(leftOut) })
      const to = (tail.pieces[0]?.number ?? last + 1) - 1
      if (gap < taken && gap < to) gone = { from: gap + 1, to }
    }
    taken = last
    leftOutTaken = leftOut
    return { pieces, gone }
  }

  function end(): OutputChange | null {
    for (const [stream, decoder] of decoders) add(stream, decoder.decode())
    return take()
  }

  return { push, take, end, leftOut: () => leftOut }
}

interface Keep {
  readonly pieces: { readonly number: number; readonly stream: RunStream; text: string; bytes: number }[]
  bytes: number
}

function bare({ number, stream, text }: OutputPiece): OutputPiece {
  return { number, stream, text }
}

function remark(bytes: number): string {
  return `\n[${bytes} bytes of output were left out here]\n`
}

/** The text in two: so many bytes at most, and the rest; no character is split. */
function cut(text: string, limit: number): [string, string] {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return [text, '']
  let at = limit
  while (at > 0 && isContinuation(bytes[at])) at--
  return [bytes.toString('utf8', 0, at), bytes.toString('utf8', at)]
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
