import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Output, type OutputChange, openOutput } from '../../../src/areas/runs/output.ts'

const KIB = 1024

/** Applies every change like a database would. */
function storing(output: Output, rows = new Map<number, { stream: string; text: string }>()) {
  const apply = (change: OutputChange | null) => {
    if (!change) return
    const { pieces, gone } = change
    for (const { number, stream, text } of pieces) rows.set(number, { stream, text })
    for (const number of rows.keys()) if (gone && number >= gone.from && number <= gone.to) rows.delete(number)
  }
  const sorted = () => [...rows].sort(([a], [b]) => a - b).map(([number, row]) => ({ number, ...row }))
  return {
    store: () => apply(output.take()),
    end: () => apply(output.end()),
    apply,
    rows: sorted,
    text: () =>
      sorted()
        .map(({ text }) => text)
        .join(''),
  }
}

describe('output of a run', () => {
  test('is kept whole, in order and by stream, whatever the chunks and whenever it is stored', () => {
    const chunk = fc.record({
      stream: fc.constantFrom('stdout' as const, 'stderr' as const),
      text: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
      split: fc.nat(40),
      store: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        const output = openOutput()
        const stored = storing(output)
        for (const { stream, text, split, store } of chunks) {
          const bytes = Buffer.from(text)
          output.push(stream, bytes.subarray(0, split))
          if (store) stored.store()
          output.push(stream, bytes.subarray(split))
        }
        stored.end()
        for (const stream of ['stdout', 'stderr']) {
          const own = stored.rows().filter((row) => row.stream === stream)
          const sent = chunks.filter((each) => each.stream === stream).map(({ text }) => text.toWellFormed())
          expect(own.map(({ text }) => text).join('')).toBe(sent.join(''))
        }
        expect(stored.rows().map(({ number }) => number)).toEqual(stored.rows().map((_, index) => index + 1))
        expect(output.leftOut()).toBe(0)
      }),
    )
  })

  test('is stored no later than it is asked for', () => {
    const output = openOutput()
    const stored = storing(output)
    output.push('stdout', 'one ')
    stored.store()
    expect(stored.text()).toBe('one ')
    output.push('stdout', 'two ')
    output.push('stdout', 'three')
    stored.store()
    expect(stored.rows()).toEqual([
      { number: 1, stream: 'stdout', text: 'one ' },
      { number: 2, stream: 'stdout', text: 'two three' },
    ])
    expect(output.take()).toBeNull()
    expect(output.end()).toBeNull()
  })

  test('keeps its beginning and its end, and says how much is missing between', () => {
    const output = openOutput()
    const stored = storing(output)
    const lines = Array.from({ length: 300_000 }, (_, index) => `${index}`.padStart(9, '0'))
    const all = `${lines.join('\n')}\n` // 3,000,000 bytes
    for (let at = 0; at < all.length; at += 65_536) {
      output.push('stdout', Buffer.from(all.slice(at, at + 65_536)))
      if (at % 3 === 0) stored.store()
      expect(Buffer.byteLength(stored.text())).toBeLessThanOrEqual(1024 * KIB + 100)
    }
    stored.end()
    const remark = stored.rows().find(({ stream }) => stream === 'service')
    const [head, tail] = stored.text().split(remark?.text ?? 'nothing is missing')
    expect(head).toBe(all.slice(0, 256 * KIB))
    expect(tail).toBe(all.slice(-(tail?.length ?? 0)))
    expect(tail?.length).toBeGreaterThan((768 - 16) * KIB)
    expect(tail?.length).toBeLessThanOrEqual(768 * KIB)
    const missing = all.length - (head?.length ?? 0) - (tail?.length ?? 0)
    expect(remark?.text).toBe(`\n[${missing} bytes of output were left out here]\n`)
    expect(output.leftOut()).toBe(missing)
  })

  test('is the same when a change is stored late or twice', () => {
    const output = openOutput()
    const [prompt, twice] = [storing(output), storing(output)]
    const changes: (OutputChange | null)[] = []
    for (let round = 0; round < 200; round++) {
      output.push(round % 2 ? 'stdout' : 'stderr', `${round}`.repeat(5_000))
      changes.push(output.take())
    }
    changes.push(output.end())
    for (const change of changes) prompt.apply(change)
    changes.forEach((change, index) => {
      twice.apply(change)
      if (index % 5 === 0) twice.apply(change)
    })
    expect(prompt.rows()).toEqual(twice.rows())
    expect(prompt.rows().filter(({ stream }) => stream === 'service')).toHaveLength(1)
  })

  test('replaces NUL and what is no UTF-8, but no character that comes in parts', () => {
    const output = openOutput()
    const stored = storing(output)
    for (const byte of Buffer.from('Ångström 日本 🦉\0')) output.push('stdout', Uint8Array.of(byte))
    output.push('stdout', Uint8Array.of(0xff, 0xfe, 0x41, 0xe6, 0x97)) // the last two bytes begin a character
    output.push('stderr', 'unharmed between')
    stored.store()
    expect(stored.text()).toBe('Ångström 日本 🦉\uFFFD\uFFFD\uFFFDAunharmed between')
    stored.end()
    expect(stored.text()).toBe('Ångström 日本 🦉\uFFFD\uFFFD\uFFFDAunharmed between\uFFFD')
  })

  test('does not split a character where the beginning ends', () => {
    const output = openOutput()
    const stored = storing(output)
    output.push('stdout', `x${'日'.repeat(700_000)}`)
    stored.end()
    expect(stored.text()).not.toContain('\uFFFD')
    expect(Buffer.byteLength(stored.rows()[0]?.text ?? '')).toBeLessThanOrEqual(16 * KIB)
    const kept = Buffer.byteLength(stored.text().replace(/\n\[.*\]\n/, ''))
    expect(kept + output.leftOut()).toBe(2_100_001)
  })

  test('has a limited number of pieces, also when two streams take turns with every byte', () => {
    const output = openOutput()
    const stored = storing(output)
    for (let at = 0; at < 40_000; at++) output.push(at % 2 ? 'stdout' : 'stderr', 'x')
    stored.end()
    expect(stored.rows().length).toBeLessThanOrEqual(4_096 + 12_288 + 1)
    expect(output.leftOut()).toBe(40_000 - (stored.rows().length - 1))
  })

  test('goes on after the number where another process left it', () => {
    const output = openOutput({ after: 41 })
    const stored = storing(output)
    output.push('service', 'again')
    stored.end()
    expect(stored.rows()).toEqual([{ number: 42, stream: 'service', text: 'again' }])
  })
})
