import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openListener } from '../replay/listener.ts'
import { percent } from '../replay/score.ts'
import { type Line, recordedSections, type Section } from './lines.ts'
import { playSection } from './play.ts'
import {
  differencesText,
  type Figures,
  fallen,
  figuresOf,
  type Held,
  judge,
  ownWordsIn,
  sumOf,
  type Verdict,
} from './score.ts'

// Replays what a running server of this API was asked, resource by resource, on our vendor listener.
// REPLAY_GROUP=users,roles limits it to these groups; WRITE_DIFFERENCES=file writes the differences with both answers;
// PRINT_SCORE=1 prints the figures; UPDATE_SCORE=1 stores those of the replayed groups.

const FIGURES = join(import.meta.dirname, '../recorded/original-score.json')

test('a running server is agreed with as well as it was', { timeout: 600_000 }, async () => {
  const wanted = process.env.REPLAY_GROUP?.split(',')
  const verdicts = await playAll(wanted)
  const found = figuresOf(verdicts)
  if (process.env.PRINT_SCORE)
    for (const [group, figures] of [...Object.entries(found), ALL(found)]) print(group, figures)
  if (process.env.WRITE_DIFFERENCES) writeFileSync(process.env.WRITE_DIFFERENCES, differencesText(verdicts))
  const held: Held = JSON.parse(readFileSync(FIGURES, 'utf8'))
  if (process.env.UPDATE_SCORE) writeFileSync(FIGURES, `${JSON.stringify({ ...held, ...found }, null, 2)}\n`)
  expect(ownWordsIn(verdicts)).toEqual([])
  expect(Object.keys(found).sort()).toEqual([...(wanted ?? Object.keys(held))].sort())
  expect(process.env.UPDATE_SCORE ? [] : fallen(held, found)).toEqual([])
  const { lines, listed } = sumOf(found)
  expect(wanted ? 0 : listed / lines).toBeLessThanOrEqual(MOST_LISTED)
})

/** The maximum share of accepted differences. */
const MOST_LISTED = 0.12

async function playAll(wanted: readonly string[] | undefined): Promise<Verdict[]> {
  const isWanted = ({ group }: Line) => wanted?.includes(group) ?? true
  const verdicts: Verdict[] = []
  await using listener = await openListener()
  for (const section of recordedSections()) {
    const lines = neededOf(section, isWanted)
    if (!lines.some(isWanted)) continue
    const played = await playSection({ group: section.group, lines }, await listener.fresh())
    verdicts.push(...played.filter(({ line }) => isWanted(line)).map(judge))
  }
  return verdicts
}

/** Yields the wanted lines, and those that create what they need. */
function neededOf({ group, lines }: Section, isWanted: (line: Line) => boolean): readonly Line[] {
  return lines.some((line) => line.group === group && isWanted(line))
    ? lines
    : lines.filter((line) => line.keep !== undefined || isWanted(line))
}

const ALL = (found: Held): [string, Figures] => ['all groups', sumOf(found)]

function print(group: string, { lines, agreed, listed }: Figures): void {
  const score = `${percent(agreed, lines).padStart(8)} ${percent(agreed + listed, lines).padStart(8)}`
  process.stdout.write(`${score}  ${agreed} agree and ${listed} are listed of ${lines}  ${group}\n`)
}
