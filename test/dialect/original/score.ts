import { ownWordIn } from '../own-words.ts'
import { reasonsOf, valuesOf } from './compare.ts'
import { LISTED } from './listed.ts'
import type { Played } from './play.ts'

/** Whether a line was answered as recorded, and if not, what differs. */
export interface Verdict {
  readonly played: Played
  readonly reasons: readonly string[]
  /** Why all differences of the line are accepted; null where one is not. */
  readonly why: string | null
  readonly values: readonly string[]
}

/** The number of lines that count, of those that match, and of those with accepted differences. */
export interface Figures {
  readonly lines: number
  readonly agreed: number
  readonly listed: number
}

/** The stored figures by group, which must not decrease. */
export type Held = Readonly<Record<string, Figures>>

/** Compares a line and classifies its differences. */
export function judge(played: Played): Verdict {
  const reasons = reasonsOf(played)
  const { group, method, path, query, body, raw } = played.line
  const asked = [method, path, query && JSON.stringify(query), body !== undefined && JSON.stringify(body), raw]
  const text = asked.filter((each) => typeof each === 'string').join(' ')
  const whys = reasons.map(
    (reason) =>
      LISTED.find(
        (each) =>
          each.reason.test(reason) && (each.groups?.includes(group) ?? true) && (each.asked?.test(text) ?? true),
      )?.why,
  )
  const explained = reasons.length > 0 && whys.every((why) => why !== undefined)
  return { played, reasons, why: explained ? [...new Set(whys)].join(' ') : null, values: valuesOf(played) }
}

/** Tells whether a line counts: the answer of a failing server is no reference. */
export function counts({ played }: Verdict): boolean {
  return played.line.status < 500
}

/** Computes the figures of each group, and the total. */
export function figuresOf(verdicts: readonly Verdict[]): Held {
  const counted = verdicts.filter(counts)
  const groups = [...Map.groupBy(counted, ({ played }) => played.line.group)]
  return Object.fromEntries(groups.map(([group, members]): [string, Figures] => [group, tallyOf(members)]))
}

/** Adds the figures of all groups. */
export function sumOf(held: Held): Figures {
  const sum = (key: keyof Figures) => Object.values(held).reduce((all, each) => all + each[key], 0)
  return { lines: sum('lines'), agreed: sum('agreed'), listed: sum('listed') }
}

function tallyOf(verdicts: readonly Verdict[]): Figures {
  return {
    lines: verdicts.length,
    agreed: verdicts.filter(({ reasons }) => reasons.length === 0).length,
    listed: verdicts.filter(({ why }) => why !== null).length,
  }
}

/** Lists the groups with worse figures than stored. */
export function fallen(held: Held, found: Held): string[] {
  return Object.entries(found).flatMap(([group, { agreed, listed }]) => {
    const before = held[group] ?? { agreed: 0, listed: 0 }
    return [
      ...(agreed < before.agreed ? [`${group}: ${agreed} agree of ${before.agreed}`] : []),
      ...(agreed + listed < before.agreed + before.listed
        ? [`${group}: ${agreed + listed} agree or are listed of ${before.agreed + before.listed}`]
        : []),
    ]
  })
}

/** Lists answers with words that only the other port uses. */
export function ownWordsIn(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ played }) => {
    const word = ownWordIn(played.answer.text)
    return word === null ? [] : [`line ${played.line.n} says ${word}`]
  })
}

/**
 * Formats the differences: each line with its reasons, the request, and both answers, shortened. Accepted ones come last.
 */
export function differencesText(verdicts: readonly Verdict[]): string {
  return verdicts
    .filter((each) => counts(each) && (each.reasons.length > 0 || each.values.length > 0))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(paragraph)
    .join('\n')
}

function rankOf({ reasons, why }: Verdict): number {
  if (reasons.length === 0) return 2
  return why === null ? 0 : 1
}

function paragraph({ played, reasons, why, values }: Verdict): string {
  const { line, sent, answer } = played
  return [
    `## line ${line.n} | ${line.group} | ${line.label ?? ''}${reasons.length === 0 ? ' | only values' : ''}`,
    ...reasons.slice(0, 12).map((reason) => `   ${reason}`),
    ...values.map((value) => `   (not counted) ${value}`),
    ...(why === null ? [] : [`   as it should be: ${why}`]),
    `   sent:     ${sent} ${cut(JSON.stringify(line.body ?? line.raw) ?? '')} ${JSON.stringify(line.headers) ?? ''}`,
    `   recorded: ${line.status} ${cut(JSON.stringify(line.answer) ?? '')}`,
    `   ours:     ${answer.status} ${cut(answer.text)}`,
    '',
  ].join('\n')
}

function cut(text: string): string {
  return text.length > 700 ? `${text.slice(0, 700)} …` : text
}
