import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { hasPatroni, startCluster } from '../support/peers/patroni.ts'
import { startWriting } from './writers.ts'

const patroni = hasPatroni('PostgreSQL under Patroni with etcd')

test.skipIf(!patroni)(
  'a machine of Patroni that is lost while clients write is replaced, and nothing acknowledged is lost',
  async () => {
    await using cluster = await startCluster()
    const folder = mkdtempSync(join(tmpdir(), 'millwright-failover-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = {
      DATABASE_URL: cluster.url,
      MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
      MILLWRIGHT_PASSWORD_MEMORY: '8',
    }
    const programs = [1, 2].map(() => start(['--port', '0', '--data-dir', '.'], folder, env))
    onTestFinished(() => {
      for (const program of programs) program.process.kill('SIGKILL')
    })
    const [one = '', other = ''] = await Promise.all(programs.map(ready))
    const writers = startWriting(one, other)
    await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(40), 60_000)

    // What the primary acknowledges alone is lost with it.
    const hearAgain = cluster.standby.deafen()
    await sleep(500)
    cluster.primary.kill()
    hearAgain()
    const killedAt = performance.now()
    await vi.waitFor(() => expect(writers.refused.size).toBeGreaterThan(0), 60_000)
    const before = writers.acknowledged.length
    await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(before), { timeout: 120_000 })
    console.log(`writes again ${((performance.now() - killedAt) / 1000).toFixed(1)} s after the loss of the primary`)

    // It comes back as the standby of the other one, while they write.
    cluster.primary.startEtcd()
    cluster.primary.startPatroni()
    await cluster.primary.becomes('sync')
    await writers.stop()
  },
  240_000,
)
