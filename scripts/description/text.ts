/** Rows of words as aligned columns for a terminal; the last column is left as it is. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = (rows[0] ?? []).map((_, column) => width(column))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')
  return rows.map((row) => `${indent}${line(row)}`.trimEnd()).join('\n')
}

/** Rows as a table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

type Schema = { readonly [keyword: string]: unknown }

/** A JSON schema in a few words: `{ id: integer, name: string | null }`. */
export function typeText(schema: Schema): string {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeText(one as Schema)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return `[${typeText((schema.items ?? {}) as Schema)}]`
  if (schema.type !== 'object') return typeof schema.type === 'string' ? schema.type : 'any'
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const keys = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (keys.length === 0) return 'object'
  return `{ ${keys.map(([key, inner]) => `${key}${required.has(key) ? '' : '?'}: ${typeText(inner)}`).join(', ')} }`
}
