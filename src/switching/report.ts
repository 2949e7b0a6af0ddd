/** What becomes of a record of the old server. */
export type Outcome = 'created' | 'changed' | 'left' | 'refused'

/** A record that needs a person, or that was not taken whole. */
export interface Remark {
  readonly record: string
  readonly outcome: Outcome
  readonly reason: string
  /** What to do about it. */
  readonly fix: string
}

/** The numbers of one kind, and the records about which there is something to say. */
export interface KindReport extends Record<Outcome, number> {
  /** Records that the old server has. */
  there: number
  readonly remarks: Remark[]
}

/** A secret that the old server does not show; a person enters it. */
export interface MissingSecret {
  readonly kind: string
  readonly record: string
  readonly key: string
}

/** The report of an import, as `--json` prints it. */
export interface Report {
  readonly totals: Record<Outcome, number>
  readonly kinds: Record<string, KindReport>
}

/** Collects what comes of each record. */
export interface Reporting {
  readonly report: Report
  readonly secrets: readonly MissingSecret[]
  readonly count: (kind: string, outcome: Outcome) => void
  readonly remark: (kind: string, remark: Remark) => void
  readonly miss: (secret: MissingSecret) => void
}

/** More remarks of one kind are counted, but not kept. */
const MOST_REMARKS = 1000
const MOST_SECRETS = 100_000

/** Creates a report, of a file with what its reader left out. */
export function createReporting(leftOut: readonly (Remark & { readonly kind: string })[] | null = null): Reporting {
  const report: Report = { totals: createCounts(), kinds: {} }
  const secrets: MissingSecret[] = []
  const findKind = (kind: string) => {
    report.kinds[kind] ??= { there: 0, ...createCounts(), remarks: [] }
    return report.kinds[kind]
  }
  const count = (kind: string, outcome: Outcome) => {
    const one = findKind(kind)
    one.there++
    one[outcome]++
    report.totals[outcome]++
  }
  const addRemark = (kind: string, one: Remark) => {
    const { remarks } = findKind(kind)
    const fix = leftOut ? one.fix.replaceAll('on the old server', 'in the file') : one.fix
    if (remarks.length < MOST_REMARKS) remarks.push({ ...one, fix })
  }
  for (const { kind, ...one } of leftOut ?? []) {
    if (one.outcome === 'refused') count(kind, 'refused')
    findKind(kind).remarks.push(one)
  }
  return {
    report,
    secrets,
    count,
    remark: addRemark,
    miss: (secret) => {
      if (secrets.length < MOST_SECRETS) secrets.push(secret)
    },
  }
}

function createCounts(): Record<Outcome, number> {
  return { created: 0, changed: 0, left: 0, refused: 0 }
}

/** Suggests what to do about a refused record, by the reason. */
export function suggestFix(reason: string): string {
  return (
    FIXES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Correct the record on the old server, and import again.'
  )
}

const FIXES: readonly (readonly [RegExp, string])[] = [
  [/there is no such record here|does not match an existing/, 'Create the record here first, and import again.'],
  [/somebody has changed/, 'Delete the record here if nobody needs it.'],
  [/is used by|being used/, 'Delete or change the records that use it, and undo again.'],
  [/spaces/, 'Rename the record on the old server without spaces, and import again.'],
  [/already been taken/, 'Rename or delete the record of this name here, and import again.'],
  [/syntax|template|not supported/i, 'Change the line of the template on the old server, or write the template here.'],
  [/it answers|breaks off|no results/, 'Open the record on the old server, repair it there, and import again.'],
  [/can't be blank|is required/, 'Fill in the field on the old server, and import again.'],
  [/too long/, 'Shorten the value on the old server, and import again.'],
  [/not taken/, 'See the record that it refers to in this report.'],
]

/** Formats a report for people. */
export function formatReport({ totals, kinds }: Report, isPlan: boolean): string {
  const head = isPlan ? 'would be created' : 'created'
  const lines = Object.entries(kinds).flatMap(([kind, { there, created, changed, left, refused, remarks }]) => [
    `${kind.replaceAll('_', ' ')}: ${there} there, ${created} created, ${changed} changed, ${left} left, ${refused} refused`,
    ...remarks.map(({ record, outcome, reason, fix }) => `  ${record} (${outcome}): ${reason}${fix ? ` ${fix}` : ''}`),
  ])
  const sum = `In all ${totals.created} ${head}, ${totals.changed} changed, ${totals.left} left, ${totals.refused} refused.`
  return `${[...lines, sum].join('\n')}\n`
}
