import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// A passkey of the browser's virtual authenticator, from its first day to its last.

describe.skipIf(!chromium)('a passkey', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let window: Window

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    // A passkey belongs to a host name, not to an address.
    const address = (await api.listen()).replace('127.0.0.1', 'localhost')
    window = await browser.open(address)
    await window.page.goto('/account')
    await logIn(window.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  test('is added, lets its user in, proves them again, and is removed', async () => {
    const { page, wrong } = window
    const client = await page.context().newCDPSession(page)
    await client.send('WebAuthn.enable')
    const verifies = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    const options = { protocol: 'ctap2', transport: 'internal', ...verifies } as const
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

    await page.locator('#passkey-name').fill('This laptop')
    await press('Add a passkey')
    await page.getByText('Print or store these recovery codes now').waitFor()
    await page.getByText(/^Passkey This laptop for localhost, set up .*, last used: never/).waitFor()
    await expectAccessible(page, 'a passkey')

    await page.context().clearCookies()
    await page.goto('/account')
    await page.getByLabel(/^Login/).fill(ADMIN.login)
    await page.getByLabel(/^Password/).fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await expectAccessible(page, 'a login with a second factor')
    await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await press('Use a passkey')
    await page.getByText('The browser has no passkey for this, or you cancelled it').waitFor()
    await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await press('Use a passkey')
    await page.getByText(/^Passkey This laptop for localhost/).waitFor()

    await sql`update session_factors set proven_at = now() - interval '1 hour'`.execute(api.database.db)
    await press('Prove again: use a passkey')
    await page.getByText('The second factor is proven').waitFor()
    await press('Remove This laptop: use a passkey')
    await page.getByText(/^Passkey This laptop for localhost/).waitFor({ state: 'detached' })
    expect(wrong).toEqual([])
  })
})
