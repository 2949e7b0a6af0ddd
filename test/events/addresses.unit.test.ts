import { expect, test } from 'vitest'
import { createAddressCheck, RefusedAddressError } from '../../src/areas/events/webhook/addresses.ts'
import { sendMessage } from '../../src/areas/events/webhook/send.ts'
import { openReceiver } from './receiver.ts'

test('addresses of this machine and of private networks are refused, in every form, unless they are allowed', async () => {
  const check = createAddressCheck(['192.168.7.0/24', '::1'])
  for (const host of ['8.8.8.8', '192.168.7.9', '[::1]', '[::ffff:192.168.7.9]', '2001:4860:4860::8888'])
    expect((await check.resolve(host)).length).toBe(1)
  for (const host of [
    '127.0.0.1',
    'localhost',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.8.1',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::]',
    '[fe80::1]',
    '[fd00::1]',
    '[2002:7f00:1::]',
    '[64:ff9b::7f00:1]',
  ])
    await expect([host, await check.resolve(host).catch((error) => error)]).toEqual([
      host,
      expect.any(RefusedAddressError),
    ])
})

test('a name is resolved once, and connected to where it led then', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  let asked = 0
  const addresses = {
    resolve: async () => {
      asked++
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }
  const outcome = await sendMessage(addresses, {
    url: `http://rebinding.invalid:${port}/`,
    headers: {},
    body: '{"data": 1}',
    method: 'POST',
    type: 'application/json',
    verifies: true,
    authorities: null,
    through: null,
    timeoutMs: 5000,
    signal: new AbortController().signal,
  })
  expect(outcome).toMatchObject({ answer: { status: 204 } })
  expect([asked, receiver.received.length]).toEqual([1, 1])
  expect(receiver.received[0]?.headers.host).toBe(`rebinding.invalid:${port}`)
})
