/**
 * Memory that the service shares with the thread of its embedded database. Only one side writes at a time; what is longer
 * than the memory is passed in parts. Messages between threads would take three times as long, because each of them wakes an
 * event loop (docs/decisions/0021-embedded-thread.md).
 */
export interface Mailbox {
  readonly state: Int32Array
  readonly bytes: Uint8Array
}

/** Passes messages of PostgreSQL's protocol to the database and answers with its messages. */
export const EXCHANGE = 0

/** Answers with an image of the data directory. */
export const IMAGE = 1

/** Closes the database and ends the thread. */
export const CLOSE = 2

/** The kind of one request to the thread. */
export type Task = typeof EXCHANGE | typeof IMAGE | typeof CLOSE

/**
 * Whose turn it is: that of the service, for which an answer is in the memory, or that of the thread, which works; or the
 * thread has ended.
 */
const SERVICE = 0
const THREAD = 1
const ENDED = 2

const [TURN, LENGTH, MORE, TASK] = [0, 1, 2, 3]
const STATE_BYTES = 16
const SIZE = 256 * 1024

/** Creates the memory of a mailbox. The thread has the first turn, and reports when it is ready. */
export function createMailbox(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(STATE_BYTES + SIZE)
  openMailbox(memory).state[TURN] = THREAD
  return memory
}

/** Lays the state and the bytes of a mailbox over shared memory; both sides call it for the memory they share. */
export function openMailbox(memory: SharedArrayBuffer): Mailbox {
  return { state: new Int32Array(memory, 0, STATE_BYTES / 4), bytes: new Uint8Array(memory, STATE_BYTES) }
}

/** Tells whether the thread is working on a request. */
export function isWorking({ state }: Mailbox): boolean {
  return Atomics.load(state, TURN) === THREAD
}

/**
 * For the service: waits until the thread is ready; false when it ended instead. The state is checked again after each
 * wake-up: the thread stores the new state and then wakes the other side, which may have seen the state, and sent its next
 * request, before the wake-up arrives.
 */
export async function awaitAnswer({ state }: Mailbox): Promise<boolean> {
  for (;;) {
    const waiting = Atomics.waitAsync(state, TURN, THREAD)
    if (!waiting.async) return Atomics.load(state, TURN) !== ENDED
    await waiting.value
  }
}

/**
 * For the service: sends a request to the thread and passes the parts of its answer on. False when the thread ended instead.
 * When passing on fails, the rest of the answer is received all the same, because the thread waits for that and would take
 * the next request for it. {@throws} the first error of passing on
 */
export async function ask(
  box: Mailbox,
  task: Task,
  question: Uint8Array,
  onPart: (part: Buffer) => void,
): Promise<boolean> {
  box.state[TASK] = task
  for (let at = 0; at === 0 || at < question.length; at += SIZE) {
    put(box, question.subarray(at, at + SIZE), at + SIZE < question.length)
    pass(box, THREAD)
    if (!(await awaitAnswer(box))) return false
  }
  const failures: unknown[] = []
  for (;;) {
    try {
      if (failures.length === 0) onPart(copyBytes(box))
    } catch (error) {
      failures.push(error)
    }
    if (!box.state[MORE]) break
    pass(box, THREAD)
    if (!(await awaitAnswer(box))) return false
  }
  if (failures.length > 0) throw failures[0]
  return true
}

/** For the service, after the thread has ended: wakes whoever waits for its answer. */
export function markEnded(box: Mailbox): void {
  pass(box, ENDED)
}

/**
 * For the thread: reports that it is ready, and answers requests one after another. It blocks between them, so that the
 * event loop of the thread only runs while `answer` waits for something.
 */
export async function answerQuestions(
  box: Mailbox,
  answer: (task: number, question: Buffer, write: (bytes: Uint8Array) => void) => void | Promise<void>,
): Promise<void> {
  const write = (bytes: Uint8Array) => append(box, bytes)
  for (;;) {
    awaitTurn(box)
    const parts = [copyBytes(box)]
    while (box.state[MORE]) {
      begin(box)
      awaitTurn(box)
      parts.push(copyBytes(box))
    }
    begin(box)
    await answer(box.state[TASK] ?? CLOSE, joinParts(parts), write)
  }
}

function append(box: Mailbox, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const length = box.state[LENGTH] ?? 0
    const part = bytes.subarray(at, at + SIZE - length)
    box.bytes.set(part, length)
    box.state[LENGTH] = length + part.length
    at += part.length
    if (at < bytes.length) flush(box)
  }
}

function flush(box: Mailbox): void {
  box.state[MORE] = 1
  awaitTurn(box)
  begin(box)
}

function begin({ state }: Mailbox): void {
  state[LENGTH] = 0
  state[MORE] = 0
}

function awaitTurn(box: Mailbox): void {
  pass(box, SERVICE)
  while (Atomics.load(box.state, TURN) === SERVICE) Atomics.wait(box.state, TURN, SERVICE)
}

function pass({ state }: Mailbox, turn: number): void {
  Atomics.store(state, TURN, turn)
  Atomics.notify(state, TURN)
}

function put({ state, bytes }: Mailbox, part: Uint8Array, more: boolean): void {
  bytes.set(part)
  state[LENGTH] = part.length
  state[MORE] = more ? 1 : 0
}

/** Copies the bytes, because the other side overwrites them next. */
function copyBytes({ state, bytes }: Mailbox): Buffer {
  return Buffer.from(bytes.subarray(0, state[LENGTH]))
}

function joinParts(parts: readonly Buffer[]): Buffer {
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}
