import { SETTINGS } from '../../src/settings/settings.ts'
import { formatMarkdownTable } from './text.ts'

/** Writes the page of all settings, by category. */
export function formatSettingsMarkdown(): string {
  const all = Object.entries(SETTINGS)
  const categories = [...new Set(all.map(([, { category }]) => category))].sort()
  const sections = categories.map((category) => {
    const rows = all
      .filter(([, setting]) => setting.category === category)
      .map(([name, { type, description, ...setting }]) => [
        `\`${name}\``,
        'min' in setting ? `${type}, ${setting.min} to ${setting.max}` : type,
        formatValue(setting.default),
        escapeMarkdown(description),
      ])
    return `## ${category}\n\n${formatMarkdownTable(['Setting', 'Type', 'Default', 'Meaning'], rows)}\n`
  })
  return `# Settings\n\n${INTRODUCTION}\n\n${sections.join('\n')}`
}

const INTRODUCTION = `Administrators can change settings while the service runs. \`GET /api/settings\` lists them with their values.
\`PUT /api/settings/:name\` with \`{"setting": {"value": …}}\` changes one for all processes from the next request on. You can write a
list as text, with one item per line, or as a YAML list. The [configuration](/docs/configuration) has the options that a process needs
before it reads the database.`

function formatValue(value: number | boolean | string | readonly string[]): string {
  if (typeof value === 'object') return value.map(escapeMarkdown).join(', ') || 'empty'
  return escapeMarkdown(String(value)) || 'blank'
}

/** Escapes Markdown in a text. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_<]/g, '\\$&')
}
