import { cellOf } from './cell.ts'

/** Formats a value as a tree for people: a branch for each key that has a value. */
export function treeOf(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => {
      const isLast = at === value.length - 1
      const lines = treeOf(each, '')
      return lines.map(
        (line, row) => `${indent}${row === 0 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  '}${line}`,
      )
    })
  }
  if (typeof value !== 'object' || value === null) return [`${indent}${value === null ? 'nothing' : cellOf(value)}`]
  const isPlain = (each: unknown) => typeof each !== 'object' || each === null
  const told = Object.entries(value).filter(([, each]) => each !== null && !(Array.isArray(each) && each.length === 0))
  if (told.length === 0) return [`${indent}nothing`]
  const plain = told
    .filter(([, each]) => isPlain(each))
    .map(([key, each]) => `${key.replaceAll('_', ' ')}: ${cellOf(each)}`)
  const rich = told.filter(([, each]) => !isPlain(each))
  return [
    ...(plain.length > 0 ? [`${indent}${plain.join('  ')}`] : []),
    ...rich.flatMap(([key, each]) => [`${indent}${key.replaceAll('_', ' ')}`, ...treeOf(each, `${indent}  `)]),
  ]
}
