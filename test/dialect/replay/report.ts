import { percent, reasonCounts, type Tally, talliesBy, tallyOf, type Verdict } from './score.ts'

/** The stored figures, which must not decrease. */
export interface Held {
  readonly total: Tally
  readonly groups: Readonly<Record<string, Tally>>
}

/** The marks around the lines of docs/compatibility.md that the replay writes. */
export const MARKERS = ['<!-- replay: begin -->', '<!-- replay: end -->'] as const

/** Computes the figures of all exchanges and of each group. */
export function heldFigures(verdicts: readonly Verdict[]): Held {
  return { total: tallyOf(verdicts), groups: Object.fromEntries(talliesBy(verdicts, groupOf)) }
}

/** Lists the groups with fewer matches than stored, and the difference. */
export function fallen(held: Held, found: Held): string[] {
  const all = { 'all groups': held.total, ...held.groups }
  const now: Readonly<Record<string, Tally>> = { 'all groups': found.total, ...found.groups }
  return Object.entries(all)
    .filter(([group, { matched }]) => (now[group]?.matched ?? 0) < matched)
    .map(([group, { matched }]) => `${group}: ${now[group]?.matched ?? 0} of ${matched}`)
}

/** Formats the score for docs/compatibility.md. */
export function markdown(verdicts: readonly Verdict[]): string {
  const { exchanges, matched, explained } = tallyOf(verdicts)
  const ofClients = tallyOf(verdicts.filter(({ outcome }) => outcome.exchange.by === 'client'))
  const open = verdicts.filter(({ reasons, explanation }) => reasons.length > 0 && explanation === null)
  return [
    `Of ${exchanges} exchanges ${matched} match (${percent(matched, exchanges)}), and ${explained} differ as they should`,
    `(together ${percent(matched + explained, exchanges)}). Of the ${ofClients.exchanges} that were recorded from a client at work`,
    `${ofClients.matched} match (${percent(ofClients.matched, ofClients.exchanges)}).`,
    '',
    '### By group',
    '',
    ...table('group', talliesBy(verdicts, groupOf)),
    '',
    '### By route',
    '',
    'Routes that match whole are left out.',
    '',
    ...table(
      'route',
      talliesBy(verdicts, ({ route }) => `\`${route}\``).filter(([, tally]) => tally.matched < tally.exchanges),
    ),
    '',
    '### What differs as it should',
    '',
    '| exchanges | why |',
    '| ---: | --- |',
    ...explanations(verdicts).map(([why, count]) => `| ${count} | ${why} |`),
    '',
    '### What differs otherwise',
    '',
    ...(open.length === 0 ? ['Nothing.'] : others(open)),
    '',
  ].join('\n')
}

function others(open: readonly Verdict[]): string[] {
  return [
    'A recording counts once for each of its reasons. “Of some servers” is a key that not all recorded servers have: versions',
    'differ, and so do the extensions that were installed.',
    '',
    '| exchanges | reason | routes |',
    '| ---: | --- | --- |',
    ...reasonCounts(open).map(
      ({ reason, exchanges: count, routes }) =>
        `| ${count} | ${reason.replaceAll('|', '\\|')} | ${routesText(routes)} |`,
    ),
  ]
}

function table(title: string, tallies: readonly [string, Tally][]): string[] {
  return [
    `| ${title} | exchanges | match | differ as they should | score |`,
    '| --- | ---: | ---: | ---: | ---: |',
    ...tallies.map(
      ([name, { exchanges, matched, explained }]) =>
        `| ${name} | ${exchanges} | ${matched} | ${explained} | ${percent(matched, exchanges)} |`,
    ),
  ]
}

function explanations(verdicts: readonly Verdict[]): [string, number][] {
  const explained = verdicts.flatMap(({ explanation }) => (explanation === null ? [] : [explanation]))
  return [...Map.groupBy(explained, (why) => why)]
    .map(([why, all]): [string, number] => [why, all.length])
    .sort(([, one], [, other]) => other - one)
}

function routesText(routes: readonly string[]): string {
  const [first = '', ...others] = routes
  return others.length > 0 ? `\`${first}\` and ${others.length} more` : `\`${first}\``
}

function groupOf({ outcome }: Verdict): string {
  return outcome.exchange.group
}
