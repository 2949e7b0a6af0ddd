import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { startSshd } from '../support/peers/sshd.ts'
import { comparable, hasJq, runInShell, startAsNewcomer, stepsOf } from './transcript.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/config-runs.md')
const keys = mkdtempSync(join(tmpdir(), 'millwright-keys-'))
const sshd = hasJq() ? await startSshd() : null
afterAll(async () => {
  rmSync(keys, { recursive: true, force: true })
  await sshd?.[Symbol.asyncDispose]()
})

// UPDATE_TRANSCRIPT=1 writes down what the commands print now.
test.skipIf(!sshd)(
  'the session of the guide prints what the guide says',
  async () => {
    if (!sshd) return
    writeFileSync(join(keys, 'id_ed25519'), sshd.key, { mode: 0o600 })
    writeFileSync(join(keys, 'known_hosts'), sshd.knownHosts)
    await using started = await startAsNewcomer(PROGRAM)
    const here: Readonly<Record<string, string>> = {
      auth: `admin:${started.password}`,
      api: `${started.address}/api`,
      keys,
      user: sshd.user,
      port: String(sshd.port),
    }
    const assignments = Object.entries(here).map(([name, value]) => `${name}=${value}`)
    let guide = readFileSync(GUIDE, 'utf8')
    for (const { command, output } of stepsOf(guide)) {
      if (/^\w+=\S+( \w+=\S+)*$/.test(command)) continue
      const printed = await runInShell(assignments, command)
      const before = `$ ${command}\n${output ? `${output}\n` : ''}`
      const now = printed.trimEnd()
      if (process.env.UPDATE_TRANSCRIPT) guide = guide.replace(before, () => `$ ${command}\n${now ? `${now}\n` : ''}`)
      else expect(comparable(printed), command).toBe(comparable(output))
    }
    if (process.env.UPDATE_TRANSCRIPT) writeFileSync(GUIDE, guide)
  },
  120_000,
)
