import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import { given } from '../../test/support/given.ts'
import { chromium, logIn, openBrowser, type Window } from './browser.ts'

// What was typed into forms made by hand and into those within other pages: it survives a refusal, the end of the session, a
// reload and the back button, and nobody overwrites unasked what somebody else has stored meanwhile.

describe.skipIf(!chromium)('what is typed', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    admin = await browser.open(await api.listen())
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const field = (page: Page, key: string) => page.locator(`#field-${key}`)
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  /** Goes to another page, and comes back with the back button. */
  const leave = async (page: Page) => {
    const links = page.getByRole('navigation', { name: 'Main navigation' })
    await links.getByRole('link', { name: 'Hosts', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor()
    await page.goBack({ waitUntil: 'commit' })
  }
  /** Presses the back button, and stays when asked. */
  const stay = async (page: Page) => {
    await page.goBack({ waitUntil: 'commit' })
    await press(page, 'Stay')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const endSession = async (page: Page) => {
    await page.context().clearCookies()
    await page.reload()
    await logIn(page, ADMIN.login, ADMIN.password)
  }
  /** Ends the session unnoticed; the next request asks for a password, and is sent once it is there. */
  const goOn = async (page: Page, send: () => Promise<void>) => {
    await page.context().clearCookies()
    await send()
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('dialog').getByLabel('Password').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
  }

  test('as a matcher stays until it is saved', async () => {
    const { page } = admin
    await given(api.admin, 'hostgroup', { name: 'Drafted' })
    const { id } = await importedParameter(api, {
      parameter: 'drafted',
      default_value: '"default"',
      columns: { override: true },
    })
    const match = page.locator('#matcher-match')
    const matchers = page.getByRole('region', { name: 'Matchers' })
    const look = () => matchers.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const value = page.locator('#matcher-value')
    const typed = async () => [await match.inputValue(), await value.inputValue()]
    await page.goto(`/smart_class_parameters/${id}`)
    await match.fill('hostgroup=Nobody')
    await value.fill('mine')
    await look()
    await page.locator('#matcher-match-help').getByText('hostgroup').first().waitFor()
    expect(await typed()).toEqual(['hostgroup=Nobody', 'mine'])
    await match.fill('hostgroup=Drafted')
    for (const come of [() => page.reload(), () => leave(page), () => endSession(page)]) {
      await come()
      await match.waitFor()
      expect(await typed()).toEqual(['hostgroup=Drafted', 'mine'])
    }
    await look()
    await matchers.getByText('No host would get another value.').waitFor()
    await goOn(page, () => press(page, 'Save'))
    await page.getByRole('rowheader', { name: 'hostgroup=Drafted' }).waitFor()
    await page.reload()
    await match.waitFor()
    expect(await typed()).toEqual(['', ''])
  })

  test('as a rule of a filter of a view stays until it is saved', async () => {
    const { page } = admin
    const filter = await given(api.admin, 'content_view_filter', { name: 'Drafts' })
    await page.goto(`/content_view_filters/${filter.id}/content_view_filter_rules`)
    await page.getByRole('link', { name: 'Create Filter rule' }).first().press('Enter')
    await field(page, 'name').fill('bash')
    await field(page, 'max_version').fill('5.1')
    await field(page, 'version').fill('5.0')
    await press(page, 'Save')
    await page.getByRole('alert').first().waitFor()
    const typed = async () => [await field(page, 'name').inputValue(), await field(page, 'max_version').inputValue()]
    expect(await typed()).toEqual(['bash', '5.1'])
    await field(page, 'version').fill('')
    for (const come of [() => page.reload(), () => stay(page), () => endSession(page)]) {
      await come()
      await page.getByText('Your earlier input is still here.').waitFor()
      expect(await typed()).toEqual(['bash', '5.1'])
    }
    await goOn(page, () => press(page, 'Save'))
    await page.getByRole('heading', { level: 1, name: 'bash' }).waitFor()
    const { body } = await api.admin.get(`/content/api/content_view_filters/${filter.id}/rules`)
    expect(body.results).toMatchObject([{ name: 'bash', max_version: '5.1' }])
  })

  test('as a token or a key of the own account stays until it is made', async () => {
    const { page } = admin
    await page.goto('/account')
    const token = page.locator('#token-name')
    const key = page.locator('#key-key')
    await token.fill('nightly')
    await page.locator('#token-expires_at').fill('2099-12-31')
    await page.locator('#key-name').fill('laptop')
    await key.fill('not a key')
    await press(page, 'Create SSH key')
    await page.locator('#key-key-help').getByText(/\w/).first().waitFor()
    for (const come of [() => page.reload(), () => leave(page), () => endSession(page)]) {
      await come()
      await token.waitFor()
      expect([await token.inputValue(), await key.inputValue()]).toEqual(['nightly', 'not a key'])
    }
    await goOn(page, () => press(page, 'Create token'))
    await page.getByRole('region', { name: 'Access tokens' }).getByRole('row').filter({ hasText: 'nightly' }).waitFor()
    expect([await token.inputValue(), await key.inputValue()]).toEqual(['', 'not a key'])
  })

  test('as a preference of the own account stays until it is saved', async () => {
    const { page } = admin
    await page.goto('/account')
    await page.getByRole('link', { name: 'Edit preferences' }).press('Enter')
    await field(page, 'timezone').fill('Nowhere/Else')
    await press(page, 'Save')
    await page
      .locator('[data-field=timezone]')
      .getByText(/is not|invalid/)
      .waitFor()
    await field(page, 'timezone').fill('Europe/Vienna')
    for (const come of [() => page.reload(), () => stay(page), () => endSession(page)]) {
      await come()
      await page.getByText('Your earlier input is still here.').waitFor()
      expect(await field(page, 'timezone').inputValue()).toBe('Europe/Vienna')
    }
    await goOn(page, () => press(page, 'Save'))
    await page.getByRole('heading', { level: 1, name: 'admin', exact: true }).waitFor()
    expect((await api.admin.get('/api/current_user')).body.timezone).toBe('Europe/Vienna')
  })

  const SHARED: Readonly<Record<string, () => Promise<Changing>>> = {
    template: async () => {
      const { id } = await given(api.admin, 'provisioning_template', { name: 'Shared', template: 'first' })
      const path = `/api/provisioning_templates/${id}`
      const wrap = (template: string) => ({ provisioning_template: { template } })
      return { form: `/provisioning_templates/${id}/edit`, path, key: 'template', text: String, wrap }
    },
    'filter of a role': async () => {
      const { id: role_id } = await given(api.admin, 'role', { name: 'Shared' })
      const found = await api.admin.get('/api/permissions?search=name+%3D+view_hosts')
      const permission_ids = [found.body.results[0].id]
      const { id } = await given(api.admin, 'filter', { role_id, permission_ids, search: 'name ~ first' })
      const wrap = (search: string) => ({ filter: { search } })
      return {
        form: `/filters/${id}/edit`,
        path: `/api/filters/${id}`,
        key: 'search',
        text: (who) => `name ~ ${who}`,
        wrap,
      }
    },
    'rule of a filter of a view': async () => {
      const { id: filter } = await given(api.admin, 'content_view_filter', { name: 'Shared' })
      const list = `/content/api/content_view_filters/${filter}/rules`
      const { id } = (await api.admin.post(list, { name: 'first' })).body
      const form = `/content_view_filters/${filter}/content_view_filter_rules/${id}/edit`
      return { form, path: `${list}/${id}`, key: 'name', text: String, wrap: (name) => ({ name }) }
    },
    directory: async () => {
      const { id } = await given(api.admin, 'auth_source_ldap', { name: 'Shared', base_dn: 'dc=first' })
      const wrap = (base_dn: string) => ({ auth_source_ldap: { base_dn } })
      const form = `/auth_source_ldaps/${id}/edit?step=people`
      return { form, path: `/api/auth_source_ldaps/${id}`, key: 'base_dn', text: (who) => `dc=${who}`, wrap }
    },
  }

  test.each(Object.entries(SHARED))('of two people who change one %s the second is asked', async (_kind, make) => {
    const { page } = admin
    const { form, path, key, text, wrap } = await make()
    await page.goto(form)
    await page.locator(`[data-field=${key}]`).getByRole('textbox').fill(text('mine'))
    expect((await api.admin.put(path, wrap(text('theirs')))).status).toBe(200)
    await press(page, 'Save')
    await page.getByRole('alert').getByText('Another user has changed this record.').first().waitFor()
    const compared = page.getByRole('grid', { name: 'Another user has changed this record.' })
    await compared
      .getByRole('row')
      .filter({ hasText: text('theirs') })
      .filter({ hasText: text('mine') })
      .waitFor()
    expect((await api.admin.get(path)).body[key]).toBe(text('theirs'))
    await press(page, 'Save my values anyway')
    await expect.poll(async () => (await api.admin.get(path)).body[key]).toBe(text('mine'))
  })
})

/** A form in the console, and the record in the API that somebody else changes meanwhile. */
interface Changing {
  readonly form: string
  readonly path: string
  readonly key: string
  readonly text: (who: string) => string
  readonly wrap: (text: string) => object
}
