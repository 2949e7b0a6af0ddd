import { createHash } from 'node:crypto'
import { operationOf } from './explanation.ts'
import type { Experiment } from './laboratory.ts'
import { formatStatement } from './sql.ts'

/**
 * Writes the statements of all resources, each once: `shared.sql` for those of several resources, and a text for each
 * resource by its plural. A statement similar to one above it is written as the difference.
 */
export function formatSql(tried: ReadonlyMap<string, readonly Experiment[]>): Map<string, string> {
  const users = new Map<string, Set<string>>()
  for (const [plural, experiments] of tried) {
    for (const text of experiments.flatMap(({ statements }) => statements.map(removeNumbers))) {
      users.set(text, (users.get(text) ?? new Set()).add(plural))
    }
  }
  const shared = [...users]
    .filter(([, { size }]) => size > 1)
    .map(([text]) => new Statement(text, `shared ${hashOf(text)}`))
  const known = new Map(shared.map((one) => [one.text, one]))
  const texts = new Map([['shared.sql', formatShared(shared)]])
  for (const [plural, experiments] of tried) texts.set(`${plural}.sql`, formatResource(experiments, known))
  return texts
}

/** A statement and the place where it is written. */
class Statement {
  readonly text: string
  readonly name: string
  readonly lines: readonly string[]

  constructor(text: string, name: string) {
    this.text = text
    this.name = name
    this.lines = formatStatement(text).replace(/\$\d+/g, '$$').split('\n')
  }

  /** Yields a reference to a statement in shared.sql, with its beginning. */
  get reference(): string {
    const beginning = this.lines.map((line) => line.trim()).join(' ')
    return `${this.name}: ${beginning.length > 90 ? `${beginning.slice(0, 90)}…` : beginning}`
  }
}

/** Removes the numbers of placeholders that only count up, so that an additional condition changes one line. */
function removeNumbers(statement: string): string {
  let next = 0
  const counted = [...statement.matchAll(/\$(\d+)/g)].every(([, number]) => Number(number) === ++next)
  if (!counted) throw new Error(`placeholders of a statement do not count up: ${statement}`)
  return statement.replace(/\$\d+/g, '$1')
}

function formatShared(shared: readonly Statement[]): string {
  const sorted = shared.toSorted((a, b) => (a.lines.join(' ') < b.lines.join(' ') ? -1 : 1))
  return `${INTRODUCTION}\n${writeOnce(sorted.map((one) => [`-- ${one.name}`, one]))}`
}

const INTRODUCTION = `-- Statements that several resources run. The other files name them by what stands above them here.
-- $ stands for a bound value. Where a statement is like one above it, lines with - are gone and lines with + are new.
`

function writeOnce(parts: readonly (readonly [string, Statement])[]): string {
  const above: Statement[] = []
  return parts.map(([heading, statement]) => `${heading}${bodyOf(statement, above)}`).join('\n')
}

/** Yields the statement, or its difference from the most similar one above. */
function bodyOf(statement: Statement, above: Statement[]): string {
  const [base] = above.toSorted((a, b) => countCommonLines(b, statement) - countCommonLines(a, statement))
  const changes = base && listDifferences(base.lines, statement.lines)
  if (base && changes && changes.length <= statement.lines.length * WORTH) {
    return ` is ${base.name}, but\n${changes.join('\n')}\n`
  }
  above.push(statement)
  return `\n${statement.lines.join('\n')}\n`
}

/** A difference is written when it is at most this part of the length of the statement. */
const WORTH = 0.75

/** Counts the lines that two statements share. */
function countCommonLines(a: Statement, b: Statement): number {
  const left = Map.groupBy(a.lines, (line) => line.trim())
  const common = [...Map.groupBy(b.lines, (line) => line.trim())].reduce(
    (sum, [line, times]) => sum + Math.min(times.length, left.get(line)?.length ?? 0),
    0,
  )
  return common / Math.max(a.lines.length, b.lines.length)
}

/** Lists removed and added lines, each with the line before it. */
function listDifferences(before: readonly string[], after: readonly string[]): string[] {
  const lengths = computeCommonLengths(before, after)
  const readLength = (i: number, j: number) => lengths[i]?.[j] ?? 0
  const result: string[] = []
  let [i, j, told] = [0, 0, -1]
  while (i < before.length || j < after.length) {
    const [old = '', now = ''] = [before[i], after[j]]
    if (i < before.length && j < after.length && old.trim() === now.trim()) {
      i++
      j++
      continue
    }
    if (j !== told && j > 0) result.push(`  ${after[j - 1]}`)
    if (j < after.length && (i === before.length || readLength(i, j + 1) > readLength(i + 1, j))) {
      result.push(`+ ${now}`)
      told = ++j
    } else {
      result.push(`- ${old}`)
      i++
      told = j
    }
  }
  return result
}

/** Computes the length of the longest common subsequence of lines, from each pair of positions on. */
function computeCommonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i--) {
    const [row = [], next = []] = [lengths[i], lengths[i + 1]]
    for (let j = after.length - 1; j >= 0; j--) {
      const same = before[i]?.trim() === after[j]?.trim()
      row[j] = same ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

function formatResource(experiments: readonly Experiment[], shared: ReadonlyMap<string, Statement>): string {
  const own = new Map<string, Statement>()
  const above: Statement[] = []
  const sequences = new Map<string, string>()
  return experiments
    .map((experiment) => {
      const statements = experiment.statements.map(removeNumbers)
      const name = nameOf(experiment)
      const heading = `-- ${experiment.title}\n-- ${experiment.route.method} ${experiment.route.path}`
      const sequence = sequences.get(statements.join(';'))
      if (sequence) return `${heading}: what ${sequence} runs\n`
      sequences.set(statements.join(';'), name)
      const parts = statements.map((text, index) => {
        const place = `-- ${name}.${index + 1}`
        const there = shared.get(text)
        if (there) return `${place} is ${there.reference}\n`
        const known = own.get(text)
        if (known) return `${place} is ${known.name}\n`
        const statement = new Statement(text, `${name}.${index + 1}`)
        own.set(text, statement)
        return `${place}${bodyOf(statement, above)}`
      })
      const count = statements.length === 1 ? '1 statement' : `${statements.length} statements`
      return `${heading}: ${count}\n${parts.join('')}`
    })
    .join('\n')
}

/** Yields the name of an experiment: `list`, `search`, `limited update`. */
function nameOf({ title, route }: Experiment): string {
  const operation = title.startsWith('list with') ? 'search' : operationOf(route)
  return title.endsWith('a limited user') ? `limited ${operation}` : operation
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6)
}
