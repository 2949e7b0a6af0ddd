import { listKeys } from '../config/configured-value.ts'
import type { Key } from '../config/keys.ts'
import { wrapText } from './wrapped.ts'

/** Formats `millwright help`: the commands, and every key of the configuration. */
export function help(version: string, commands: readonly { name: string; summary: string }[]): string {
  const paragraphs = [
    `Millwright ${version}: administers infrastructure provisioning and content over an HTTP/JSON API.`,
    'Usage: millwright [command] [flags]',
    ['Commands', ...commands.map(({ name, summary }) => `  ${name.padEnd(29)}${summary}`)].join('\n'),
    ['Configuration', wrapText(PRECEDENCE, '  ')].join('\n'),
    ...listKeys().map(([, key]) => explainKey(key)),
    'Other flags\n  -h, --help      Prints this text.\n  -v, --version   Prints the version.',
    'Exit codes: 0 success, 1 failure, 2 wrong command line or configuration.',
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Formats `millwright COMMAND --help`. */
export function formatCommandHelp({
  lines,
  summary,
}: {
  readonly lines: readonly string[]
  readonly summary: string
}): string {
  const usage = lines.map((line, place) => `${place === 0 ? 'Usage: ' : '       '}${line} [flags]`)
  const flags = 'It accepts the flags of the configuration; see millwright server --help.'
  return `${[summary, usage.join('\n'), flags].join('\n\n')}\n`
}

const PRECEDENCE =
  'A flag wins over an environment variable, a variable over the file named by --config, the file over the default. ' +
  'In the file a key is called like its flag without the dashes.'

function explainKey(key: Key): string {
  const facts = `Must be ${key.schema.description}. ${key.default ? `Default: ${key.default}.` : 'Not set by default.'}`
  const names = [key.flag && `${key.flag} VALUE`, key.variable, key.secret && `${key.variable}_FILE`]
  return [`  ${names.filter((name) => name).join('   ')}`, wrapText(key.doc, '      '), wrapText(facts, '      ')].join(
    '\n',
  )
}
