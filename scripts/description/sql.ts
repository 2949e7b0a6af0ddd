import { format } from 'sql-formatter'
import type { Experiment } from './laboratory.ts'

/** Formats the executed statements of a resource's operations. */
export function formatExperiments(experiments: readonly Experiment[]): string {
  return experiments.map(formatExperiment).join('\n')
}

function formatExperiment({ title, route, statements }: Experiment): string {
  const count = statements.length === 1 ? '1 statement' : `${statements.length} statements`
  const heading = `-- ${title}\n-- ${route.method} ${route.path}: ${count}\n`
  return `${heading}\n${statements.map((statement) => `${formatStatement(statement)}\n`).join('\n')}`
}

/** Formats a statement, broken only where it would be too wide. */
export function formatStatement(statement: string): string {
  const tall = format(`${removeQuotes(statement)};`, { language: 'postgresql', tabWidth: 2, expressionWidth: WIDTH })
  return foldLines(treeOf(tall.split('\n'))).join('\n')
}

const WIDTH = 116
/** Names that are reserved words of SQL and need quotes. */
const RESERVED: ReadonlySet<string> = new Set(['default', 'user', 'order', 'group', 'table', 'end', 'columns'])

function removeQuotes(statement: string): string {
  return statement.replace(/"([a-z_][a-z0-9_]*)"/g, (quoted, name: string) => (RESERVED.has(name) ? quoted : name))
}

/** A line with the lines indented below it, and the line that closes its bracket. */
interface Line {
  readonly text: string
  readonly below: Line[]
  closing: string
}

function treeOf(lines: readonly string[]): Line[] {
  const root: Line = { text: '', below: [], closing: '' }
  const open: { indent: number; line: Line }[] = [{ indent: -1, line: root }]
  for (const each of lines) {
    const text = each.trim()
    const indent = each.length - each.trimStart().length
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const parent = open.at(-1)?.line ?? root
    const previous = parent.below.at(-1)
    if (text.startsWith(')') && previous?.text.endsWith('(')) previous.closing = text
    else {
      const line: Line = { text, below: [], closing: '' }
      parent.below.push(line)
      open.push({ indent, line })
    }
  }
  return root.below
}

function foldLines(lines: readonly Line[], indent = ''): string[] {
  return lines.flatMap((line) => {
    const one = indent + flattenLine(line)
    if (one.length <= WIDTH) return [one]
    const closing = line.closing === '' ? [] : [indent + line.closing]
    return [indent + line.text, ...foldLines(packLines(line.below, `${indent}  `), `${indent}  `), ...closing]
  })
}

/** Puts short items of a list on one line. */
function packLines(lines: readonly Line[], indent: string): Line[] {
  const result: Line[] = []
  for (const line of lines) {
    const previous = result.at(-1)
    const simple = previous && [previous, line].every(({ below }) => below.length === 0) && previous.text.endsWith(',')
    const together = `${previous?.text} ${line.text}`
    if (simple && indent.length + together.length <= WIDTH) result.splice(-1, 1, { ...line, text: together })
    else result.push(line)
  }
  return result
}

function flattenLine({ text, below, closing }: Line): string {
  const inner = below.map(flattenLine).join(' ')
  return text.endsWith('(') ? text + inner + closing : [text, inner].filter(Boolean).join(' ') + closing
}
