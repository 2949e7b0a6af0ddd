import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { spawnSync } from '../support/processes.ts'

// A file stands for a disk. What a program has written and nobody has synced is not in it yet, as on a disk whose power is cut.

const folder = mkdtempSync(join(tmpdir(), 'millwright-power-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive']
const loops = attachDisk(join(folder, 'probe')) !== null
if (!loops) {
  const missing = 'the loss of power: this takes loop devices, mkfs.ext4 and root'
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: ${missing}`)
}

const ENV = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

describe.skipIf(!loops)('power that is cut', { timeout: 240_000 }, () => {
  test.for([5, 150])('takes nothing with it that was answered, of %i writes', async (count) => {
    const disk = attachDisk(join(folder, `disk-${count}`))
    if (!disk) throw new Error('no disk')
    const before = start(['--port', '0', '--data-dir', join(disk.mounted, 'data')], folder, ENV)
    onTestFinished(() => void before.process.kill('SIGKILL'))
    const address = await ready(before)
    const answered: string[] = []
    for (let n = 0; n < count; n++) {
      const ptable = { name: `table ${n}`, layout: randomBytes(100_000).toString('hex') }
      const { status } = await fetch(`${address}/api/ptables`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ptable }),
      })
      if (status === 201) answered.push(ptable.name)
    }
    const cut = join(folder, `cut-${count}.disk`)
    copyFileSync(disk.image, cut)
    before.process.kill('SIGKILL')
    await once(before.process, 'exit')

    const later = attachDisk(join(folder, `later-${count}`), cut)
    if (!later) throw new Error('no disk')
    const after = start(['--port', '0', '--data-dir', join(later.mounted, 'data')], folder, ENV)
    onTestFinished(async () => {
      after.process.kill('SIGTERM')
      await after.ended
    })
    const listed = await fetch(`${await ready(after)}/api/ptables?per_page=all`, { headers })
    const { results } = (await listed.json()) as { results: { name: string }[] }
    expect(answered).toHaveLength(count)
    expect(results.map(({ name }) => name).filter((name) => name.startsWith('table '))).toEqual(
      expect.arrayContaining(answered),
    )
  })
})

interface Disk {
  /** The file that stands for it. */
  readonly image: string
  readonly mounted: string
}

/** Mounts a disk with a file system on it: an empty one, or one that was there before. Null where this machine cannot. */
function attachDisk(path: string, image = `${path}.disk`): Disk | null {
  const run = (...words: string[]) => {
    const [program = '', ...args] = [...asRoot, ...words]
    return spawnSync(program, args, { encoding: 'utf8' }).status === 0
  }
  mkdirSync(path)
  if (!existsSync(image)) {
    if (!run('truncate', '--size=300M', image) || !run('mkfs.ext4', '-q', '-F', image)) return null
  }
  if (!run('mount', '-o', 'loop', image, path)) return null
  const unmount = () => run('umount', '--lazy', path)
  if (path.endsWith('probe')) unmount()
  else onTestFinished(() => void unmount())
  run('chmod', '777', path)
  return { image, mounted: path }
}
