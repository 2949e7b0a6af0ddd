import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { ADMIN, basic } from '../support/api.ts'
import { writeUntilKilled } from '../support/killed.ts'
import { openReceiver } from './receiver.ts'

interface FeedPage {
  readonly results: readonly {
    readonly id: string
    readonly type: string
    readonly data: { readonly record: { readonly name: string } }
  }[]
  readonly last: number
}

test('a service that is killed in the middle of writes loses no event, neither in the feed nor at a receiver', async () => {
  await using receiver = await openReceiver()
  const folder = mkdtempSync(join(tmpdir(), 'millwright-killed-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password, MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.1' }
  const serve = async () => {
    const program = start(['--port', '0', '--data-dir', 'data'], folder, env)
    onTestFinished(() => void program.process.kill('SIGKILL'))
    return { program, address: await ready(program) }
  }
  const headers = { authorization: basic(ADMIN.login, ADMIN.password) }
  const acknowledged: string[] = []
  let service = await serve()
  const webhook = { name: 'killed', target_url: receiver.url, events: ['architecture.*'] }
  const created = await fetch(`${service.address}/api/webhooks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook }),
  })
  expect(created.status).toBe(201)
  for (let round = 0; round < 2; round++) {
    const { program, address } = service
    const kill = () => program.process.kill('SIGKILL')
    acknowledged.push(...(await writeUntilKilled({ address, headers }, `killed-${round}`, 40, kill)))
    await program.ended
    service = await serve()
  }

  const namesInFeed: string[] = []
  const numbers: number[] = []
  for (let position = 0; ; ) {
    const answer = await fetch(`${service.address}/api/events?after=${position}&limit=1000`, { headers })
    const { results, last } = (await answer.json()) as FeedPage
    numbers.push(...results.map(({ id }) => Number(id)))
    for (const { type, data } of results) if (type === 'architecture.created') namesInFeed.push(data.record.name)
    if (last === position) break
    position = last
  }
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  expect(acknowledged.filter((name) => !namesInFeed.includes(name))).toEqual([])
  expect(new Set(namesInFeed).size).toBe(namesInFeed.length)
  await vi.waitFor(
    () => {
      const received = new Set(receiver.received.map(({ body }) => body.data.record.name))
      expect(namesInFeed.filter((name) => !received.has(name))).toEqual([])
    },
    { timeout: 60_000, interval: 100 },
  )
  service.program.process.kill('SIGTERM')
  expect(await service.program.ended).toBe(0)
})
