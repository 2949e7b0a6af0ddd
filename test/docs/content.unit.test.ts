import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { comparable, hasJq, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/content.md')
const jq = hasJq()

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test.skipIf(!jq)(
  'the first registration of the guide comes out as the guide says',
  async () => {
    await using started = await startAsNewcomer(PROGRAM)
    const { address, password } = started
    const places = [`base=${address}`, `api=${address}/api`, `content=${address}/content/api`]
    let guide = readFileSync(GUIDE, 'utf8')
    for (const { command, output } of stepsOf(guide)) {
      if (/^\w+=\S+( \w+=\S+)*$/.test(command)) continue
      const printed = (await runInShell([`auth=admin:${password}`, ...places], command)).trimEnd()
      const before = `$ ${command}\n${output ? `${output}\n` : ''}`
      if (process.env.UPDATE_TRANSCRIPT) guide = guide.replace(before, () => `$ ${command}\n${printed}\n`)
      else expect(comparable(printed), command).toBe(comparable(output))
    }
    if (process.env.UPDATE_TRANSCRIPT) writeFileSync(GUIDE, guide)
  },
  120_000,
)
