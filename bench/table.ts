/** One line of the result. Numbers that do not apply are absent. */
export interface Line {
  /** The budget row that it belongs to. */
  readonly row: Row
  readonly work: string
  readonly database: 'PostgreSQL' | 'bundled'
  readonly requestsPerSecond?: number
  /** Latency in milliseconds. */
  readonly p50?: number
  readonly p99?: number
  readonly milliseconds?: number
  readonly memoryMiB?: number
  /** A figure for which there is no column, with its unit. */
  readonly figure?: string
  /** The factor compared with the baseline. */
  readonly ratio?: number
  readonly to?: string
  /** The bound and whether it is kept; absent for lines that only inform. */
  readonly budget?: { readonly text: string; readonly met: boolean }
}

export const ROWS = [
  'speed',
  'size',
  'hosts',
  'costs',
  'writes',
  'classify',
  'preview',
  'keys',
  'register',
  'reports',
  'dialect',
  'memory',
  'start',
  'login',
  'cli',
  'console',
  'operate',
  'import',
  'events',
  'million',
  'scale',
  'audits',
  'kills',
] as const
/** Rows that take an hour each and are only measured on request. */
export const LONG: readonly Row[] = ['million', 'scale', 'audits', 'kills']
export type Row = (typeof ROWS)[number]

/** Formats all lines as one Markdown table for terminals and documents; empty columns are left out. */
export function formatTable(lines: readonly Line[]): string {
  const full = [HEADER, ...lines.map(cellsOf)]
  const isSaid = HEADER.map((_, column) => full.slice(1).some((line) => line[column] !== ''))
  const cells = full.map((line) => line.filter((_, column) => isSaid[column]))
  const isNumber = HEADER.map((_, column) => column > 1 && column <= LAST_NUMBER).filter((_, column) => isSaid[column])
  const pad = (text: string, width: number, column: number) =>
    isNumber[column] ? text.padStart(width) : text.padEnd(width)
  const widths = isNumber.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const written = cells.map(
    (line) => `| ${line.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width, column) => (isNumber[column] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [written[0], rule, ...written.slice(1)].join('\n')
}

const HEADER = [
  'work',
  'database',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'ms',
  'MiB',
  'figure',
  'ratio',
  'to',
  'budget',
  'kept',
]
const LAST_NUMBER = HEADER.indexOf('ratio')

function cellsOf({
  work,
  database,
  requestsPerSecond,
  p50,
  p99,
  milliseconds,
  memoryMiB,
  figure,
  ratio,
  to,
  budget,
}: Line): string[] {
  return [
    work,
    database,
    formatNumber(requestsPerSecond, 0),
    formatNumber(p50, 2),
    formatNumber(p99, 2),
    formatNumber(milliseconds, 0),
    formatNumber(memoryMiB, 0),
    figure ?? '',
    formatNumber(ratio, 2),
    to ?? '',
    budget?.text ?? '',
    budget ? (budget.met ? 'yes' : 'NO') : '',
  ]
}

function formatNumber(value: number | undefined, digits: number): string {
  return value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
