import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { ask, awaitAnswer, CLOSE, createMailbox, EXCHANGE, markEnded, openMailbox } from '../../src/database/mailbox.ts'

const [TURN, LENGTH, MORE] = [0, 1, 2]
const SERVICE = 0

test('a late wake of an earlier answer is no answer', async () => {
  const { box, parts, asked } = askSomething()
  let settled = false
  void asked.finally(() => {
    settled = true
  })
  for (let wake = 0; wake < 3; wake++) {
    Atomics.notify(box.state, TURN)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect({ settled, parts }).toEqual({ settled: false, parts: [] })
  box.bytes.set(Buffer.from('answer'))
  box.state[LENGTH] = 6
  box.state[MORE] = 0
  Atomics.store(box.state, TURN, SERVICE)
  Atomics.notify(box.state, TURN)
  expect(await asked).toBe(true)
  expect(parts).toEqual(['answer'])
})

test('a thread that ends is no answer either', async () => {
  const { box, parts, asked } = askSomething()
  markEnded(box)
  expect(await asked).toBe(false)
  expect(parts).toEqual([])
})

test('a request that cannot take its answer fails alone: the next one gets its own answer', async () => {
  const memory = createMailbox()
  const box = openMailbox(memory)
  const thread = new Worker(join(import.meta.dirname, 'repeating-thread.ts'), { workerData: memory })
  await using _ = { [Symbol.asyncDispose]: async () => void (await thread.terminate()) }
  const ended = once(thread, 'exit')
  expect(await awaitAnswer(box)).toBe(true)
  for (const failing of [1, 2, 4]) {
    let parts = 0
    const asked = ask(box, EXCHANGE, Buffer.alloc(1_000_000, 'x'), () => {
      if (++parts === failing) throw new Error(`part ${parts} cannot be taken`)
    })
    await expect(asked).rejects.toThrow(`part ${failing} cannot be taken`)
    expect(parts).toBe(failing)
    const answer: Buffer[] = []
    expect(await ask(box, EXCHANGE, Buffer.from(`after ${failing}`), (part) => void answer.push(part))).toBe(true)
    expect(String(Buffer.concat(answer))).toBe(`after ${failing}`)
  }
  const closed = ask(box, CLOSE, Buffer.alloc(0), () => undefined)
  await ended
  markEnded(box)
  expect(await closed).toBe(false)
})

function askSomething() {
  const box = openMailbox(createMailbox())
  const parts: string[] = []
  const asked = ask(box, EXCHANGE, Buffer.from('question'), (part) => void parts.push(String(part)))
  return { box, parts, asked }
}
