import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { comparable, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = join(ROOT, 'README.md')

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test('the tour of the README prints what the README says', async () => {
  await using started = await startAsNewcomer(PROGRAM)
  const readme = readFileSync(README, 'utf8')
  const [start, ...tour] = stepsOf(readme)
  const seen = [{ step: start, output: started.output }]
  const assignments: string[] = []
  for (const step of tour) {
    const command = step.command
      .replace('http://127.0.0.1:3000', started.address)
      .replace(/\b[a-z2-9]{6}(?:-[a-z2-9]{6}){3}\b/, started.password)
    if (/^\w+=\S+( \w+=\S+)*$/.test(command)) assignments.push(command)
    else seen.push({ step, output: await runInShell(assignments, command) })
  }
  if (process.env.UPDATE_TRANSCRIPT) writeFileSync(README, updated(readme, seen, started.address))
  else
    for (const { step, output } of seen) expect(comparable(output), step?.command).toBe(comparable(step?.output ?? ''))
})

function updated(
  readme: string,
  seen: readonly { step: { command: string; output: string } | undefined; output: string }[],
  address: string,
): string {
  let text = readme
  for (const { step, output } of seen) {
    const before = `$ ${step?.command}\n${step?.output ? `${step.output}\n` : ''}`
    const printed = output
      .trimEnd()
      .replaceAll(address, 'http://127.0.0.1:3000')
      .replace(/in \S+newcomer\S+/, 'in ./data')
    text = text.replace(before, () => `$ ${step?.command}\n${printed}\n`)
  }
  return text
}
