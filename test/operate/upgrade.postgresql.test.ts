import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Program, programOf, ready, start } from '../cli/program.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { listLost } from '../support/killed.ts'
import { spawn } from '../support/processes.ts'
import { unpackBefore, versionBefore } from '../support/version-before.ts'

const history = versionBefore()
if (!history) console.log('skipped: the version before and this one together (there is no history in this checkout)')

const folder = mkdtempSync(join(tmpdir(), 'millwright-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ENV = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_PASSWORD_MEMORY: '8' }
const headers = { authorization: `Basic ${btoa('admin:correct horse')}` }

describe.skipIf(!history)('the version before', () => {
  const tree = join(folder, 'before')
  beforeAll(() => {
    if (history) unpackBefore(history, tree)
    const countMigrations = (root: string) =>
      readdirSync(join(root, 'migrations')).filter((file) => file.endsWith('.sql')).length
    expect(countMigrations(tree)).toBeLessThan(countMigrations('.'))
  })

  /** Starts the program of the previous version. */
  const startBefore = (args: readonly string[], env: Record<string, string>): Program => {
    const { PATH, HOME } = process.env
    const words = [join(tree, 'src/main.ts'), ...args]
    const options = { cwd: folder, env: { PATH, HOME, ...ENV, ...env } }
    return programOf(spawn(resolve('node_modules/.bin/node'), words, options))
  }

  test('goes on beside this one, on the schema of this one, while processes are replaced: no request fails', async () => {
    await using database = await emptyDatabaseUrl()
    await using restored = await emptyDatabaseUrl()
    const at = ['--port', '0', '--data-dir', 'data']
    const serve = { DATABASE_URL: database.url }
    const keep = (program: Program) => {
      onTestFinished(() => void program.process.kill('SIGKILL'))
      return program
    }
    const old = [keep(startBefore(at, serve))]
    const serving = [await ready(old[0] as Program)]
    old.push(keep(startBefore(at, serve)))
    serving.push(await ready(old[1] as Program))
    const made = startBefore(['backup', 'before.backup', '--without-keys', '--data-dir', 'data'], serve)
    expect(await made.ended).toBe(0)

    // Like a load balancer: a process that is to be replaced gets no new requests, and is stopped when it has answered all.
    const busy = new Map<string, number>()
    const failures: string[] = []
    const stored: string[] = []
    let answered = 0
    let isOver = false
    const ask = async (turn: number, path: string, body?: object, expected = '') => {
      const address = serving[turn % serving.length] ?? ''
      busy.set(address, (busy.get(address) ?? 0) + 1)
      try {
        const sent = body && { method: 'POST', body: JSON.stringify(body) }
        const answer = await fetch(`${address}${path}`, {
          ...sent,
          headers: { ...headers, 'content-type': 'application/json' },
        })
        const text = await answer.text()
        if (answer.status === (body ? 201 : 200) && text.includes(expected)) answered++
        else failures.push(`${answer.status} ${path} ${text}`)
      } catch (error) {
        failures.push(`${path} ${error}`)
      }
      busy.set(address, (busy.get(address) ?? 0) - 1)
    }
    const load = async (lane: number) => {
      for (let turn = lane; !isOver; turn++) {
        const name = `kept-${lane}-${turn}`
        await ask(turn, '/api/architectures', { name })
        stored.push(name)
        await ask(turn + 1, `/api/architectures/${name}`)
        await ask(turn, '/api/hosts', { name: `${name}.example.test`, managed: false })
        await ask(turn + 1, `/api/hosts?search=name+~+kept-${lane}`)
        await ask(turn, '/api/common_parameters', { name, parameter_type: 'hash', value: { zz: 1, a: turn } })
        await ask(turn + 1, `/api/common_parameters/${name}`)
        const secret = { hidden_value: true, value: `secret of ${name}` }
        await ask(turn, '/api/common_parameters', { name: `hidden-${name}`, ...secret })
        await ask(turn + 1, `/api/common_parameters/hidden-${name}?show_hidden=true`, undefined, secret.value)
      }
    }
    const someMore = async () => {
      const until = answered + 40
      while (answered < until && failures.length === 0) await new Promise((later) => setTimeout(later, 20))
    }
    const loading = Promise.all([1, 2, 3].map(load))
    await someMore()
    for (const [at_, program] of old.entries()) {
      const address = await ready(keep(start(at, folder, { ...ENV, ...serve })))
      await someMore() // the previous version on the new schema
      const [gone = ''] = serving.splice(at_, 1, address)
      while ((busy.get(gone) ?? 0) > 0) await new Promise((later) => setTimeout(later, 5))
      program.process.kill('SIGTERM')
      expect(await program.ended).toBe(0)
      await someMore()
    }
    isOver = true
    await loading
    expect(failures.slice(0, 3)).toEqual([])
    expect(await listLost({ address: serving[0] ?? '', headers }, stored)).toEqual([])

    // The way back needs the backup from before: the previous version refuses this schema.
    const refused = startBefore(at, serve)
    expect(await refused.ended).toBe(1)
    expect(refused.stderr()).toMatch(/newer than this program: version \d+\.\d+\.\d+ has applied \d{4}-/)
    const there = { DATABASE_URL: restored.url }
    expect(await startBefore(['restore', 'before.backup', '--data-dir', 'data'], there).ended).toBe(0)
    const back = await ready(keep(startBefore(at, there)))
    expect((await fetch(`${back}/api/architectures/x86_64`, { headers })).status).toBe(200)
  }, 300_000)
})
