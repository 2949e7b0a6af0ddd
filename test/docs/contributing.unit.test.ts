import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { comparable, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'CONTRIBUTING.md')

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test('whoever follows CONTRIBUTING.md has a new resource, an action, a kind of field and an area', async () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const copy = copyOfTheProject()
  try {
    follow(guide, copy)
    expectGerman(guide, copy)
    await using started = await startAsNewcomer(join(copy, 'src/main.ts'))
    const variables = [`auth=admin:${started.password} api=${started.address}/api`]
    let updated = guide
    for (const { command, output } of stepsOf(guide)) {
      const printed = (await runInShell(variables, command)).trimEnd()
      updated = updated.replace(`$ ${command}\n${output ? `${output}\n` : ''}`, () => `$ ${command}\n${printed}\n`)
      if (!process.env.UPDATE_TRANSCRIPT) expect(comparable(printed), command).toBe(comparable(output))
    }
    if (process.env.UPDATE_TRANSCRIPT) writeFileSync(GUIDE, updated)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})

function copyOfTheProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'millwright-contributor-'))
  const parts = ['src', 'migrations', 'scripts/layers.json', 'package.json', 'web/src/words', 'test/laws/values.ts']
  for (const part of parts) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Expects that the words of the new resources and fields have been translated, as `web/test/words.unit.test.ts` will. */
function expectGerman(guide: string, copy: string): void {
  const words = join(copy, 'web/src/words')
  const explanations = JSON.parse(readFileSync(join(words, 'explanations-de.json'), 'utf8'))
  const said = [...guide.matchAll(/(?:defineResource\(\{\n {2}name: '\w+',\n {2}summary|\bdoc): '([^']+)'/g)]
  expect(said.length).toBeGreaterThan(5)
  for (const [, text = ''] of said) expect(explanations, text).toHaveProperty([text])
  const names = readFileSync(join(words, 'resources.ts'), 'utf8')
  for (const [, plural = ''] of guide.matchAll(/^export const (\w+) = defineResource/gm))
    expect(names).toContain(`  ${plural}: [`)
}

/** Executes the blocks with a file name from top to bottom: creates new files, and changes others. */
function follow(guide: string, copy: string): void {
  for (const [, kind, name = '', content = ''] of guide.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)) {
    const number = String(
      readdirSync(join(copy, 'migrations')).filter((file) => file.endsWith('.sql')).length + 1,
    ).padStart(4, '0')
    const file = join(copy, name.replace('NNNN', number))
    if (kind === 'diff') {
      writeFileSync(file, changed(readFileSync(file, 'utf8'), content, name))
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

/** Applies a difference to a text: lines that begin with a blank are located in order, `+` adds and `-` removes a line. */
function changed(text: string, difference: string, name: string): string {
  const lines = text.split('\n')
  let at = 0
  for (const line of difference.trimEnd().split('\n')) {
    const rest = line.slice(1)
    if (line.startsWith('+')) {
      lines.splice(at++, 0, rest)
      continue
    }
    const found = lines.indexOf(rest, at)
    if (found === -1) throw new Error(`${name} has no line ${rest} there`)
    if (line.startsWith('-')) lines.splice(found, 1)
    at = line.startsWith('-') ? found : found + 1
  }
  return lines.join('\n')
}
