import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { callbackOf } from '../../test/identity/openid-world.ts'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { startOpenIdPeer } from '../../test/support/peers/openid.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// Logins beside the password: a passkey of the browser's virtual authenticator, from its first day to its last, and another provider.

describe.skipIf(!chromium)('a login', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let window: Window
  let address: string

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    // A passkey belongs to a host name, not to an address.
    address = (await api.listen()).replace('127.0.0.1', 'localhost')
    window = await browser.open(address)
    await window.page.goto('/account')
    await logIn(window.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  test('with a passkey, which is added, lets its user in, proves them again, and is removed', async () => {
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

  test('with the account of a company says why it fails, and a logout ends it there, too', async () => {
    await using peer = await startOpenIdPeer()
    const source = { name: 'Company', issuer: peer.issuer, ...peer.client, onthefly_register: true }
    const made = await expectCreated(api.admin.post('/api/auth_source_oidcs', { auth_source_oidc: source }))
    peer.accept(callbackOf(made.id, address))
    peer.people.set('grace', { preferred_username: 'grace', given_name: 'Grace' })
    const { page, wrong } = await browser.open(address, { viewport: { width: 1280, height: 800 } })
    await page.goto('/?login_error=replayed')
    await page.getByText('This login was used before. Begin it again.').waitFor()
    await page.getByRole('link', { name: 'Log in with Company' }).waitFor()
    await expectAccessible(page, 'the login page with a provider')
    expect(wrong).toEqual([])
    await page.goto('/users?page=1')
    await page.getByRole('link', { name: 'Log in with Company' }).press('Enter')
    await page.locator('input[name=login]').fill('grace')
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).press('Enter')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.waitForURL('**/users?page=1')
    await page.goto('/account')
    await page.getByRole('gridcell', { name: 'grace', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Log out' }).first().press('Enter')
    await page.waitForURL(`${peer.issuer}/**`)
  })
})
