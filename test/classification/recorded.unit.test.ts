import { describe, expect, test } from 'vitest'
import {
  type Answer,
  castAnswer,
  type Difference,
  differs,
  nameable,
  origins,
  presentationAnswer,
  readsPresentation,
  requestAnswer,
  resolutionAnswer,
  resolutionOf,
  textsOf,
} from './answers.ts'
import type { ValueRule } from './differ.ts'
import { type Corpus, RULES, ruleFor, wanted } from './differences.ts'
import {
  type Outcome,
  type RecordedCast,
  type RecordedMatch,
  type RecordedPresentation,
  type RecordedRequest,
  type RecordedResolution,
  type RecordedUpdate,
  recorded,
} from './recorded.ts'
import { matcherSave, type Save, shownAnswer, updateSave } from './saves.ts'
import { TEXT_RULES } from './text-differences.ts'

interface Case extends Difference<{ readonly id: string }> {
  readonly example: string
}

const CORPORA: Record<Corpus, { readonly total: number; readonly differing: readonly Case[] }> = {
  casts: compared(recorded<RecordedCast>('cast'), (record) => {
    const outcomes = [record.outcome_later, record.outcome, record.outcome_old_yaml]
    return difference(record, castAnswer(record), outcomes, `${record.type} ${JSON.stringify(record.input)}`)
  }),
  presentations: compared(recorded<RecordedPresentation>('present'), (record) => {
    const answer = presentationAnswer(record)
    const places = differs({ value: record.stored }, answer)
    if (!places && readsPresentation(record)) return null
    return { record, answer, places: [null], example: `${record.type} ${JSON.stringify(record.stored)}` }
  }),
  requests: compared(recorded<RecordedRequest>('json-input'), (record) =>
    difference(record, requestAnswer(record), [record.outcome], `${record.type} ${record.json}`),
  ),
  resolutions: compared(recorded<RecordedResolution>('resolve'), (record) =>
    difference(record, resolutionAnswer(record), [wanted(record)], record.id),
  ),
  matches: compared(recorded<RecordedMatch>('match'), (record) =>
    saved(record, matcherSave(record), `${JSON.stringify(record.input)}`),
  ),
  updates: compared(recorded<RecordedUpdate>('param-update'), (record) =>
    saved(record, updateSave(record), `${JSON.stringify(record.update)}`),
  ),
}

describe('what was recorded', () => {
  for (const [name, { differing }] of Object.entries(CORPORA)) {
    test(`${name}: comes out the same here, or a rule says why not`, () => {
      const unexplained = differing.filter((found) => !ruleFor(name as Corpus, found)) // the keys of the table
      expect(
        unexplained.map(({ record, answer, example }) => `${record.id} ${example} -> ${shownAnswer(answer)}`),
      ).toEqual([])
    })
  }

  test('each rule covers some', async () => {
    const used = new Set(
      Object.entries(CORPORA).flatMap(([name, { differing }]) =>
        differing.map((found) => ruleFor(name as Corpus, found)?.id),
      ),
    ) // the keys of the table
    expect(RULES.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([])
    await expect(page()).toMatchFileSnapshot('../../docs/generated/parameter-differences.md')
  })

  test('resolutions that come out the same come from the same matchers', () => {
    const differing = new Set(CORPORA.resolutions.differing.map(({ record }) => record.id))
    const alike = recorded<RecordedResolution>('resolve').filter(({ id, winner }) => winner && !differing.has(id))
    const found = alike.map((record) => [
      record.id,
      ...origins(resolutionOf(record)).flatMap(({ element, name }) => [element, name]),
    ])
    const recordedOrigins = alike.map(({ id, winner, winner_later = winner }) => {
      const names = [winner_later?.element_name ?? []].flat()
      return [id, ...[winner_later?.element ?? []].flat().flatMap((element, index) => [element, names[index] ?? ''])]
    })
    expect(alike.length).toBeGreaterThan(1500)
    expect(found).toEqual(recordedOrigins)
  })

  test('match texts and attribute texts of hosts are the same, or a rule says why not', () => {
    expect(differingTexts().filter(({ rule }) => !rule)).toEqual([])
    expect(TEXT_RULES.filter(({ id }) => !differingTexts().some(({ rule }) => rule?.id === id))).toEqual([])
  })
})

function compared<Record>(records: readonly Record[], compare: (record: Record) => Case | null) {
  return { total: records.length, differing: records.flatMap((record) => compare(record) ?? []) }
}

function difference(
  record: { readonly id: string },
  answer: Answer,
  outcomes: readonly (Outcome | undefined)[],
  example: string,
): Case | null {
  let places: readonly (ValueRule | null)[] = [null]
  for (const outcome of outcomes) {
    const found = outcome ? differs(outcome, answer) : [null]
    if (found === null) return null
    if (!found.includes(null)) places = found
  }
  return { record, answer, places, example }
}

function saved(record: { readonly id: string }, { answer, isSame }: Save, example: string): Case | null {
  return isSame ? null : { record, answer, places: [null], example }
}

function differingTexts() {
  return recorded<RecordedResolution>('resolve').flatMap((record) => {
    const { tried, attributes } = textsOf(record)
    const same = JSON.stringify([tried, attributes]) === JSON.stringify([nameable(record), record.attribute_texts])
    return same ? [] : [{ id: record.id, tried, attributes, rule: TEXT_RULES.find(({ covers }) => covers(record)) }]
  })
}

// The generated page; `vitest -u` writes it.
function page(): string {
  const names = Object.keys(CORPORA) as Corpus[] // the keys of the table
  const covered = (id: string, corpus: Corpus) =>
    CORPORA[corpus].differing.filter((found) => ruleFor(corpus, found)?.id === id)
  const lines = RULES.map(({ id, sentence }) => {
    const found = names.flatMap((name) => covered(id, name).map(({ example }) => example))
    const [example = ''] = found.sort((a, b) => a.length - b.length)
    return `| ${id} | ${sentence} | ${names.map((name) => covered(id, name).length).join(' | ')} | ${code(example)} |`
  })
  const texts = TEXT_RULES.map(
    ({ id, sentence }) => `| ${id} | ${sentence} | ${differingTexts().filter(({ rule }) => rule?.id === id).length} |`,
  )
  const sums = names.map(
    (name) => `${CORPORA[name].total - CORPORA[name].differing.length} of ${CORPORA[name].total} ${name}`,
  )
  return [
    '# Where parameters differ from the recorded server',
    '',
    `What was recorded comes out the same here for ${sums.join(', ')}. Every other case is covered by`,
    'the first rule of this table that applies to it, and each rule covers some.',
    'Generated by `npx vitest run --project unit test/classification -u`.',
    '',
    `| rule | what is different | ${names.join(' | ')} | e.g. |`,
    `|---|---|${names.map(() => '--:').join('|')}|---|`,
    ...lines,
    '',
    'The texts by which matchers know a host:',
    '',
    '| rule | what is different | hosts |',
    '|---|---|--:|',
    ...texts,
    '',
  ].join('\n')
}

function code(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 99)}…` : text
  return text === '' ? '' : `\`${short.replaceAll('|', '\\|').replaceAll('`', "'").replaceAll('\n', ' ')}\``
}
