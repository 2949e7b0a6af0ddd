/**
 * Keeps the output of one run: the first 256 KiB and the last 768 KiB, in numbered pieces. This module stores
 * nothing; its caller stores what `take` yields from time to time, so that a crash loses only what came since.
 */
import { TextDecoder } from 'node:util'
import type { RunStream } from './runners/runner.ts'

/** Bytes of UTF-8 that are kept of the beginning and of the end. */
const HEAD_BYTES = 256 * 1024
const TAIL_BYTES = 768 * 1024

/** The number of pieces is limited, too, because a small piece costs more than its text. */
const HEAD_PIECES = 4_096
const TAIL_PIECES = 12_288

/** The most bytes of one piece. */
const PIECE_BYTES = 16 * 1024

/**
 * A row of the log. Followers ask for numbers above the last one they have; missing numbers mean that output was left
 * out.
 */
export interface OutputPiece {
  readonly number: number
  readonly stream: RunStream
  /** Without NUL and invalid characters, which PostgreSQL refuses. */
  readonly text: string
}

/** The changes of the output since the last call of `take`; storing them twice does no harm. */
export interface OutputChange {
  /** Pieces to store, in place of those with equal numbers. */
  readonly pieces: readonly OutputPiece[]
  /** Stored pieces to delete, by the first and last number. */
  readonly gone: { readonly from: number; readonly to: number } | null
}

/** Collects the output of a run, of which the beginning and the end are kept. */
export interface Output {
  /** Adds output of the process, or a remark of the service. */
  push(stream: RunStream, chunk: Uint8Array | string): void
  /** Yields what has to be stored now; null when nothing is new. */
  take(): OutputChange | null
  /** Yields like `take` what is left at the end of the output, with incomplete characters replaced. */
  end(): OutputChange | null
  /** The number of bytes that are left out between beginning and end. */
  leftOut(): number
}

/** Creates the log of a run. Numbers begin after `after`, for runs that another process began. */
export function openOutput({ after = 0 }: { readonly after?: number } = {}): Output {
  const decoders = new Map<RunStream, TextDecoder>()
  const head: Keep = { pieces: [], bytes: 0 }
  const tail: Keep = { pieces: [], bytes: 0 }
  let isHeadFull = false
  /** Number of the first piece left out; a remark with this number says how much is missing. */
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

  /** Adds text to the last piece, or to a new piece when the last one is full or was taken. */
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
    const pieces = [...head.pieces, ...tail.pieces].filter(({ number }) => number > taken).map(stripInvalid)
    let gone: OutputChange['gone'] = null
    if (gap !== null && isLonger) {
      pieces.push({ number: gap, stream: 'service', text: formatRemark(leftOut) })
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

function stripInvalid({ number, stream, text }: OutputPiece): OutputPiece {
  return { number, stream, text }
}

function formatRemark(bytes: number): string {
  return `\n[${bytes} bytes of output were left out here]\n`
}

/** Splits text after at most so many bytes, never within a character. */
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
