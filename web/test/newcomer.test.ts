import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callbackOf } from '../../test/identity/openid-world.ts'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { startOpenIdPeer } from '../../test/support/peers/openid.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// The first ten minutes on an empty service, following only what pages offer.

describe.skipIf(!chromium)('a newcomer', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let window: Window
  let address: string

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    address = await api.listen()
    window = await browser.open(address, { viewport: { width: 1280, height: 800 } })
    await window.page.goto('/')
    await logIn(window.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  test('learns what is wrong with a directory, makes a host, sees why it has a value, and gets a command', async () => {
    const { page, wrong } = window
    const open = async (name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('textbox').fill(name)
      const choice = page.getByRole('dialog').getByRole('button', { name }).first()
      await choice.press('Enter')
    }
    const create = (what: string) =>
      page
        .getByRole('link', { name: `Create ${what}` })
        .first()
        .press('Enter')
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

    await open('Directories')
    await create('Directory')
    await page.locator('#field-host').fill('ldap.nowhere.invalid')
    await page.getByRole('button', { name: 'Test these values' }).press('Enter')
    await page.getByText('Nobody can log in with these values').waitFor()
    await page.getByText('Check the spelling of the host').first().waitFor()

    await page.goto('/')
    for (const name of ['Import a server', 'Add a host', 'Load sample data'])
      await page.getByRole('heading', { level: 3, name }).waitFor()
    await page.getByRole('button', { name: 'Load sample data' }).waitFor()
    await expectAccessible(page, 'beginning')
    await create('Host')
    await page.locator('#field-name').waitFor() // until the form is loaded, the page before it is the one that is left
    // What has not been touched is left without a question.
    await page.goBack()
    await heading('Welcome, Admin User')
    await create('Host')
    await page.locator('#field-name').fill('web1.lab.test')
    await page.keyboard.press('Control+Enter')
    await heading('web1.lab.test')
    expect(new URL(page.url()).pathname).toBe('/hosts/web1.lab.test')
    await page.getByRole('tab', { name: 'Content' }).press('Enter')
    await page.getByRole('link', { name: 'Activation keys' }).last().waitFor()

    await open('Global parameters')
    await create('Global parameter')
    await page.locator('#field-name').fill('ntp')
    await page.locator('#field-value').fill('ntp.lab.test')
    await page.keyboard.press('Control+Enter')
    await heading('ntp')
    await page.goto('/hosts/web1.lab.test?tab=parameters')
    await page.getByRole('row', { name: 'ntp ntp.lab.test Global parameter' }).waitFor()

    await open('Activation keys')
    await create('Activation key')
    await page.locator('[data-field=organization_id]').getByText('Default Organization').first().waitFor()
    await page.locator('#field-name').fill('web')
    await page.keyboard.press('Control+Enter')
    await heading('web')
    await page.getByRole('link', { name: '0 hosts, no limit' }).waitFor()
    await page.getByRole('button', { name: 'Generate command' }).press('Enter')
    const command = page.getByRole('textbox', { name: 'Command' })
    await command.waitFor()
    expect(await command.inputValue()).toContain('curl')
    await expectAccessible(page, 'a key with its command')
    expect(wrong).toEqual([])
  })

  test('logs in with the account of their company, sees why that fails, and logs out there, too', async () => {
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

  test('is told in the words of the service which organization is missing', async () => {
    const { page } = window
    expect((await api.admin.post('/api/organizations', { organization: { name: 'Another' } })).status).toBe(201)
    await page.goto('/activation_keys/new')
    await page.locator('#field-name').fill('without')
    await page.keyboard.press('Control+Enter')
    await page.getByText('One of parameters [ organization_id ] required but not specified.').waitFor()
    expect(await page.locator('#field-name').inputValue()).toBe('without')
  })
})
