import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { comparable, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'CONTRIBUTING.md')

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test('whoever follows CONTRIBUTING.md has a new resource', async () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const copy = copyOfTheProject()
  try {
    follow(guide, copy)
    await using started = await startAsNewcomer(copy)
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
  for (const part of ['src', 'migrations', 'package.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Does what the blocks with a file name say: writes new files, and adds the lines to the list of resources. */
function follow(guide: string, copy: string): void {
  const number = String(readdirSync(join(copy, 'migrations')).length + 1).padStart(4, '0')
  for (const [, name = '', content = ''] of guide.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)) {
    const file = join(copy, name.replace('NNNN', number))
    if (name === 'src/resources/index.ts') {
      const [importLine = '', entry = ''] = content.split('\n')
      const list = readFileSync(file, 'utf8')
      writeFileSync(file, `${importLine}\n${list.replace('    images,\n', `    images,\n${entry}\n`)}`)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
