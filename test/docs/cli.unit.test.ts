import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { comparable, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/cli.md')

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test('the session of the guide prints what the guide says', async () => {
  const home = mkdtempSync(join(tmpdir(), 'millwright-session-'))
  await using started = await startAsNewcomer(PROGRAM)
  const assignments = [
    `export HOME=${home} MILLWRIGHT_PASSWORD=${started.password}; unset XDG_CONFIG_HOME XDG_CACHE_HOME`,
    `millwright() { ${process.execPath} ${join(ROOT, 'bin/millwright.js')} "$@"; }`,
  ]
  let guide = readFileSync(GUIDE, 'utf8')
  const differences: string[] = []
  for (const step of stepsOf(guide)) {
    const output = await runInShell(assignments, step.command.replace('http://127.0.0.1:3000', started.address))
    const printed = output
      .trimEnd()
      .replaceAll(started.address, 'http://127.0.0.1:3000')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    if (comparable(printed) === comparable(step.output)) continue
    differences.push(`$ ${step.command}\n${printed}`)
    const before = `$ ${step.command}\n${step.output ? `${step.output}\n` : ''}`
    guide = guide.replace(before, () => `$ ${step.command}\n${printed ? `${printed}\n` : ''}`)
  }
  rmSync(home, { recursive: true })
  if (process.env.UPDATE_TRANSCRIPT) writeFileSync(GUIDE, guide)
  else expect(differences.join('\n')).toBe('')
}, 120_000)
