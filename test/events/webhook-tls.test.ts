import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { expectCreated, openTestApi } from '../support/api.ts'
import { makeCertificates } from '../support/directories/certificates.ts'
import { openReceiver } from './receiver.ts'

// A receiver whose TLS is broken gets nothing; the log of deliveries says why, and the delivery is tried again.

test('broken TLS has a sentence of its own for each fault, is tried again, and holds up nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-webhook-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { ca, server, expired, wrongName } = await makeCertificates(folder)
  const readOwn = (name: string) => readFileSync(join(folder, name), 'utf8')
  const selfSigned = { cert: readOwn('other-ca.crt'), key: readOwn('other-ca.key') }
  await using api = await openTestApi({ env: { MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.0/8' } })
  await using _work = await api.startEvents({ pace: 0.0002, timeout: 2000 })
  const receivers = await Promise.all(
    [server, wrongName, selfSigned, expired].map((tls) => openReceiver(() => 204, { tls })),
  )
  const [well, ...broken] = receivers
  await using plain = await openReceiver()
  const cutting = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    cutting.close()
    for (const one of receivers) await one[Symbol.asyncDispose]()
  })
  const address = cutting.address()
  const port = typeof address === 'object' ? address?.port : 0
  const urls = [
    ...broken.map(({ url }) => url),
    plain.url.replace('http:', 'https:'),
    `https://127.0.0.1:${port}/hook`,
    well?.url ?? '',
  ]
  const hooks = await Promise.all(
    urls.map((target_url, at) =>
      expectCreated(
        api.admin.post('/api/webhooks', {
          webhook: { name: `tls-${at}`, target_url, events: ['architecture.*'], ssl_ca_certs: ca },
        }),
      ),
    ),
  )
  await expectCreated(api.admin.post('/api/architectures', { architecture: { name: 'sent-by-tls' } }))
  await vi.waitFor(
    () => expect(well?.received.map(({ body }) => body.type)).toEqual(['webhook.ping', 'architecture.created']),
    { timeout: 10_000 },
  )
  const faults: string[] = []
  for (const { id } of hooks.slice(0, -1))
    await vi.waitFor(
      async () => {
        const [last] = (await api.admin.get(`/api/webhooks/${id}/deliveries?per_page=1`)).body.results
        const { error, attempt } = (await api.admin.get(`/api/webhooks/${id}/deliveries/${last.id}`)).body
        expect([error, attempt > 1]).toEqual([expect.any(String), true])
        faults.push(error)
      },
      { timeout: 10_000 },
    )
  expect(faults).toEqual([
    'the certificate of the receiver is for another name; use a name of the certificate in target_url',
    'the certificate of the receiver is not signed by a trusted authority; store the certificate of its authority in ssl_ca_certs',
    'a certificate of the receiver is not valid today; have it renewed; check the clocks',
    'the port does not speak TLS; check the port, or use http:// in target_url',
    'the connection was closed before anything was sent; look into the log of the receiver',
  ])
  expect([...broken, plain].flatMap(({ received }) => received)).toEqual([])
})
