import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownWordIn } from '../own-words.ts'
import { differencesText } from './differences.ts'
import { recordedCases } from './exchanges.ts'
import { openListener } from './listener.ts'
import { createMemory } from './memory.ts'
import { replayCase } from './replay.ts'
import { fallen, type Held, heldFigures, MARKERS, markdown } from './report.ts'
import { judge, percent, talliesBy, type Verdict } from './score.ts'
import { readVariations } from './versions.ts'

// Replays recorded exchanges of clients and servers of this API on our vendor listener. UPDATE_SCORE=1 stores the figures,
// here and in docs/compatibility.md; PRINT_SCORE=1 prints them by route and case; WRITE_DIFFERENCES=file writes what does
// not match, with both answers.

const FIGURES = join(import.meta.dirname, '../recorded/score.json')
const PAGE = join(import.meta.dirname, '../../../docs/compatibility.md')

test('recorded exchanges match as well as they did', { timeout: 900_000 }, async () => {
  const verdicts = await replayAll()
  const found = heldFigures(verdicts)
  if (process.env.UPDATE_SCORE) keep(found, verdicts)
  const held: Held = JSON.parse(readFileSync(FIGURES, 'utf8'))
  expect(found.total.exchanges).toBe(held.total.exchanges)
  expect(fallen(held, found)).toEqual([])
  expect(verdicts.flatMap(ownWords)).toEqual([])
})

/** Lists answers with a word that only the other port uses. */
function ownWords({ outcome: { sent, answer } }: Verdict): string[] {
  const word = ownWordIn(answer.text)
  return word === null ? [] : [`${sent} says ${word}`]
}

async function replayAll(): Promise<Verdict[]> {
  const cases = recordedCases()
  const variations = readVariations(cases.flatMap(({ exchanges }) => exchanges))
  const memory = createMemory(cases)
  const verdicts: Verdict[] = []
  await using listener = await openListener()
  for (const each of cases) {
    const outcomes = await replayCase(each, await listener.fresh(), memory)
    const judged = outcomes.map((outcome) => judge(outcome, variations))
    verdicts.push(...judged)
    if (process.env.PRINT_SCORE) print(talliesBy(judged, () => each.name))
  }
  if (process.env.PRINT_SCORE) print(talliesBy(verdicts, ({ route }) => route))
  if (process.env.WRITE_DIFFERENCES) writeFileSync(process.env.WRITE_DIFFERENCES, differencesText(verdicts))
  return verdicts
}

function print(tallies: ReturnType<typeof talliesBy>): void {
  for (const [name, { exchanges, matched }] of tallies) {
    process.stdout.write(`${percent(matched, exchanges).padStart(8)}  ${matched} of ${exchanges}  ${name}\n`)
  }
}

function keep(found: Held, verdicts: readonly Verdict[]): void {
  writeFileSync(FIGURES, `${JSON.stringify(found, null, 2)}\n`)
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = MARKERS
  const [before = '', rest = ''] = page.split(begin, 2)
  const [, after = ''] = rest.split(end, 2)
  writeFileSync(PAGE, `${before}${begin}\n\n${markdown(verdicts)}\n${end}${after}`)
}
