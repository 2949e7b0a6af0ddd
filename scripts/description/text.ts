/** Formats rows as aligned columns for a terminal; the last column is not padded. */
export function formatColumns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column))
  const formatLine = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')
  return rows.map((row) => `${indent}${formatLine(row)}`.trimEnd()).join('\n')
}

/** Formats rows as a Markdown table. */
export function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [formatLine(head), formatLine(head.map(() => '---')), ...rows.map(formatLine)].join('\n')
}

/** A JSON schema. */
export type Schema = { readonly [keyword: string]: unknown }

/** Formats a JSON schema in short form: `{ id: integer, name: string(1..255) | null }`. */
export function formatType(schema: Schema): string {
  // A schema can also be true (anything) or false (nothing).
  if (typeof schema === 'boolean') return schema ? 'any' : 'nothing'
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => formatType(one as Schema)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return `[${formatType((schema.items ?? {}) as Schema)}]${formatBounds(schema)}`
  if (schema.type !== 'object') return typeof schema.type === 'string' ? schema.type + formatBounds(schema) : 'any'
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const keys = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (keys.length === 0) return 'object'
  return `{ ${keys.map(([key, inner]) => `${key}${required.has(key) ? '' : '?'}: ${formatType(inner)}`).join(', ')} }`
}

/** Formats bounds of length or size: `(1..255)`; empty where there are none. */
function formatBounds(schema: Schema): string {
  const { exclusiveMinimum, pattern } = schema
  const least = schema.minimum ?? schema.minLength ?? schema.minItems
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems
  const above = exclusiveMinimum === undefined ? '' : `>${exclusiveMinimum}`
  const range = least === undefined && most === undefined ? above : `${least ?? above}..${most ?? ''}`
  return (range && `(${range})`) + (typeof pattern === 'string' ? ` /${pattern}/` : '')
}
