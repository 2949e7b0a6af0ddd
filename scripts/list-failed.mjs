import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

// Prints the files of a JSON report of vitest in which something failed, a line each; with `--why` what failed in them and the
// beginnings of the messages, short enough that the last page of a log shows all.

const [report, why] = process.argv.slice(2)
const { testResults } = JSON.parse(readFileSync(report, 'utf8'))

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const formatPlain = (text) => text.replace(/\u001b\[\d+m/g, '').slice(0, 600)

const files = new Map()
for (const { name, status, message, assertionResults } of testResults) {
  if (status !== 'failed') continue
  const lines = files.get(relative('.', name)) ?? []
  files.set(relative('.', name), lines)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) lines.push(formatPlain(message ?? ''))
  for (const { fullName, failureMessages } of failed)
    lines.push(`${fullName}\n${formatPlain(failureMessages[0] ?? '')}`)
}
for (const [file, lines] of files) {
  console.log(file)
  if (why === '--why') for (const line of lines.slice(0, 5)) console.log(`  ${line.replaceAll('\n', '\n    ')}`)
}
