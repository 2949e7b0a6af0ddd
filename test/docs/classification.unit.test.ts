import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { startClassSource } from '../support/peers/class-source.ts'
import { comparable, hasJq, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/classification.md')
const jq = hasJq()

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test.skipIf(!jq)(
  'the first value of the guide comes out as the guide says',
  async () => {
    await using proxy = await startClassSource()
    const port = { type: 'Integer', literal: 80 }
    proxy.hold({ production: { ntp: {}, web: { port, root: { type: 'String', literal: '/srv' } } } })
    await using started = await startAsNewcomer(PROGRAM)
    const { address, password } = started
    const assignments = [`auth=admin:${password}`, `base=${address}`, `api=${address}/api`, `proxy=${proxy.url}`]
    let guide = readFileSync(GUIDE, 'utf8')
    for (const { command, output } of stepsOf(guide)) {
      if (/^\w+=\S+( \w+=\S+)*$/.test(command)) continue
      const printed = (await runInShell(assignments, command)).trimEnd()
      const before = `$ ${command}\n${output ? `${output}\n` : ''}`
      if (process.env.UPDATE_TRANSCRIPT) guide = guide.replace(before, () => `$ ${command}\n${printed}\n`)
      else expect(comparable(printed), command).toBe(comparable(output))
    }
    if (process.env.UPDATE_TRANSCRIPT) writeFileSync(GUIDE, guide)
  },
  120_000,
)
