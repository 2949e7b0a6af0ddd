import type { Experiment } from './laboratory.ts'
import { formatMarkdownTable } from './text.ts'

const OPERATIONS = ['list', 'search', 'show', 'create', 'update', 'delete']

/** Writes the page with the number of statements of each operation, so that a review sees when a change adds one. */
export function formatStatementsMarkdown(tried: ReadonlyMap<string, readonly Experiment[]>): string {
  const rows = [...tried].map(([plural, experiments]) => [
    `\`${plural}\``,
    ...OPERATIONS.map((operation) => countsOf(operation, experiments)),
  ])
  return `# Statements of each operation\n\n${INTRODUCTION}\n\n${formatMarkdownTable(['resource', ...OPERATIONS], rows)}\n`
}

const INTRODUCTION = `The number of SQL statements of each operation on a record with few parts, without the start and end of its transaction. The first
number is for an administrator; a second number is for a user with limited permissions, if it differs. Lists include the first count
of their records. \`sql/\` has the statements.`

function countsOf(operation: string, experiments: readonly Experiment[]): string {
  const counts = experiments
    .filter(({ title }) => operationOf(title) === operation)
    .map(({ statements }) => statements.length)
  return [...new Set(counts)].join(' / ')
}

/** Yields the operation of an experiment: `list with search=…` is a search. */
function operationOf(title: string): string {
  if (title.startsWith('list with')) return 'search'
  return title.slice(0, title.indexOf(','))
}
