import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import {
  chooseInMenu,
  chromium,
  confirmDeletion,
  expectAccessible,
  logIn,
  openBrowser,
  type Window,
} from './browser.ts'
import { HOSTILE } from './hostile.ts'

// Sessions and single records in Chromium, on the real service. No test may cause a request to another host or a violation of the content
// security policy.

const NEW_PASSWORD = 'long enough'

describe.skipIf(!chromium)('records', { timeout: 120_000 }, () => {
  let api: TestApi
  let address: string
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  const windows: Window[] = []

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    address = await api.listen()
    for (const name of Object.values(HOSTILE)) await expectCreated(api.admin.post('/api/models', { model: { name } }))
    admin = await open()
    await admin.page.goto('/models?search=name+~+img')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(windows.flatMap(({ wrong }) => wrong.splice(0))).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  async function open(options = {}): Promise<Window> {
    const window = await browser.open(address, options)
    windows.push(window)
    return window
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const field = (page: Page, key: string) => page.locator(`#field-${key}`)
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

  test('a login leads to the page that was asked for, with its search', async () => {
    await heading(admin.page, 'Hardware models')
    expect(admin.page.url()).toBe(`${address}/models?search=name+~+img`)
    await admin.page.getByRole('link', { name: HOSTILE.markup }).waitFor()
    expect(await admin.page.title()).toBe('Hardware models · Millwright')
  })

  test('an empty server shows three ways to begin, and a form that is not touched is left without a question', async () => {
    const { page } = admin
    await page.goto('/')
    for (const name of ['Import a server', 'Add a host', 'Load sample data'])
      await page.getByRole('heading', { level: 3, name }).waitFor()
    await page.getByRole('button', { name: 'Load sample data' }).waitFor()
    await expectAccessible(page, 'beginning')
    await page.getByRole('link', { name: 'Create Host' }).first().click()
    await field(page, 'name').waitFor() // until the form is loaded, the page before it is the one that is left
    await page.goBack()
    await heading(page, 'Welcome, Admin User')
  })

  test('a wrong password is refused in words, and the login text is there', async () => {
    const { status } = await api.admin.put('/api/settings/login_text', { setting: { value: 'Members only' } })
    expect(status).toBe(200)
    const { page } = await open({ locale: 'de-DE' })
    await page.goto('/')
    await page.getByText('Members only').waitFor()
    await expectAccessible(page, 'login')
    await page.getByLabel('Benutzername').fill('admin')
    await page.getByLabel('Passwort').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Falscher Benutzername').waitFor()
    await expectAccessible(page, 'refused login')
  })

  // By resource: what is typed, the label it gets, and what is changed.
  const TABLE: readonly (readonly [string, Readonly<Record<string, string>>, string, readonly [string, string]])[] = [
    ['architectures', { name: 'riscv64' }, 'riscv64', ['name', 'riscv128']],
    ['models', { name: 'Gamma 7' }, 'Gamma 7', ['info', HOSTILE.markup]],
    ['domains', { name: 'lab.example.test' }, 'lab.example.test', ['fullname', 'Laboratory']],
    ['hostgroups', { name: 'Web' }, 'Web', ['description', HOSTILE.direction]],
    ['usergroups', { name: 'Operators' }, 'Operators', ['name', 'Operators 2']],
    ['roles', { name: 'Reader' }, 'Reader', ['description', 'Reads']],
    ['common_parameters', { name: 'ntp', value: 'ntp.example.test' }, 'ntp', ['value', HOSTILE.emoji]],
  ]

  test.each(TABLE)(
    '%s: created, found, changed, with a history, deleted',
    async (plural, typed, name, [key, value]) => {
      const { page } = admin
      await page.goto(`/${plural}/new`)
      for (const [one, text] of Object.entries(typed)) await field(page, one).fill(text)
      await save(page)
      await heading(page, name)
      await page.getByRole('link', { name: 'Edit' }).click()
      await field(page, key).fill(value)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { level: 1, name: key === 'name' ? value : name, exact: true }).waitFor()
      await page.getByText(value, { exact: true }).first().waitFor()
      await page.getByRole('tab', { name: 'History' }).click()
      await page
        .getByText(/^updated: /)
        .first()
        .waitFor()
      await page.goto(`/${plural}?search=${encodeURIComponent(`name = "${key === 'name' ? value : name}"`)}`)
      await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check()
      await chooseInMenu(page, '1 selected', 'Delete (1)')
      await confirmDeletion(page, key === 'name' ? value : name)
      await page.getByText('1 deleted, 0 refused').waitFor()
      await page.getByRole('button', { name: 'Close' }).last().click()
      await page.getByText('Nothing matches this search').waitFor()
    },
  )

  test('errors of the API are shown at their fields, and nothing typed is lost', async () => {
    const { page } = admin
    await page.goto('/architectures/new')
    await field(page, 'name').fill('with blank')
    await save(page)
    await page.getByText("can't contain spaces.").first().waitFor()
    expect(await field(page, 'name').inputValue()).toBe('with blank')
    expect(await field(page, 'name').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page, 'refused form')
    await page.getByRole('link', { name: 'Architectures' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await expectAccessible(page, 'unsaved changes')
    await page.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Architectures')
  })

  test('a session that ends waits for a password, and goes on with what was typed', async () => {
    const { page } = admin
    await page.goto('/models/new')
    await field(page, 'name').fill('Kept')
    await page.context().clearCookies()
    await save(page)
    await page.getByText('Your session has ended').waitFor()
    await expectAccessible(page, 'login again')
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await heading(page, 'Kept')
  })

  test('without a network nothing is lost either', async () => {
    const { page } = admin
    await page.goto('/models/new')
    await field(page, 'name').fill('Offline')
    await page.context().setOffline(true)
    await save(page)
    await page.getByRole('heading', { name: 'The service cannot be reached.' }).first().waitFor()
    await page.context().setOffline(false)
    await save(page)
    await heading(page, 'Offline')
  })

  test('of two people who edit one record the second is asked', async () => {
    const { page } = admin
    const { id } = await expectCreated(api.admin.post('/api/models', { model: { name: 'Shared', info: 'first' } }))
    await page.goto(`/models/${id}/edit`)
    await field(page, 'info').fill('mine')
    expect((await api.admin.put(`/api/models/${id}`, { model: { info: 'theirs' } })).status).toBe(200)
    await save(page)
    await page.getByText('Another user has changed this record.').first().waitFor()
    await page.getByText('theirs', { exact: true }).waitFor()
    await expectAccessible(page, 'changed meanwhile')
    await page.getByRole('button', { name: 'Save my values anyway' }).click()
    await heading(page, 'Shared')
    expect((await api.admin.get(`/api/models/${id}`)).body.info).toBe('mine')
  })

  test('a hidden value is shown for a reason, which its history keeps, and only with permission', async () => {
    const sent = { common_parameter: { name: 'shown-once', value: 'opal', hidden_value: true } }
    const { id } = await expectCreated(api.admin.post('/api/common_parameters', sent))
    const { page } = admin
    await page.goto(`/common_parameters/${id}`)
    await page.getByRole('button', { name: 'Show: Value' }).press('Enter')
    await page.getByLabel('Reason').fill('INC-4711')
    await expectAccessible(page, 'reason')
    await page.keyboard.press('Enter')
    await page.getByText('opal', { exact: true }).waitFor()
    const { body } = await api.admin.get(`/api/common_parameters/${id}/history`)
    expect(body.results[0]).toMatchObject({ action: 'reveal', comment: 'INC-4711', changes: {} })

    const viewer = await api.can(['view_params'])
    const other = await open()
    await other.page.goto(`/common_parameters/${id}`)
    await logIn(other.page, viewer.login, NEW_PASSWORD)
    await other.page.getByText('*****').waitFor()
    expect(await other.page.getByRole('button', { name: /^Show/ }).count()).toBe(0)
  })

  test('a link keeps the focus when the name of its record arrives', async () => {
    const { page } = admin
    const { id } = await expectCreated(api.admin.post('/api/roles', { role: { name: 'Origin' } }))
    const copy = await expectCreated(api.admin.post(`/api/roles/${id}/clone`, { role: { name: 'Copy' } }))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/roles\?/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`/roles/${copy.id}`)
    const link = page.locator(`main a[href="/roles/${id}"]`)
    await link.filter({ hasText: `Role ${id}` }).focus()
    release()
    await link.filter({ hasText: 'Origin' }).waitFor()
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.unrouteAll()
  })

  test('forbidden actions are not offered, and forbidden pages name the missing permission', async () => {
    const { login, id } = await api.can(['view_models'])
    expect((await api.admin.put(`/api/users/${id}`, { user: { password: NEW_PASSWORD } })).status).toBe(200)
    const { page } = await open()
    await page.goto('/models')
    await logIn(page, login, NEW_PASSWORD)
    await heading(page, 'Hardware models')
    expect(await page.getByRole('link', { name: 'Create Hardware model' }).count()).toBe(0)
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Domains' }).count()).toBe(0)
    await page.goto('/models?selected=all')
    await page.getByRole('button', { name: 'Clear selection' }).waitFor()
    expect(await page.getByRole('button', { name: /^(?:\d+ selected|Bulk edit)$/, disabled: false }).count()).toBe(0)
    await page.goto('/domains')
    await page.getByText('You need one of these permissions: view_domains.').waitFor()
    await expectAccessible(page, 'forbidden')
  })

  test('the palette says that there is nothing when it has looked, and not before', async () => {
    const { page } = admin
    await page.goto('/shortcuts')
    await page.getByRole('button', { name: /^Organization:/ }).waitFor() // keys are heard once the shell is there
    await page.keyboard.press('Control+k')
    const input = page.locator('input[placeholder^="Go to a page"]:focus')
    await input.waitFor()
    const said = await page.evaluateHandle(() => {
      const texts: string[] = []
      const status = document.querySelector('[role=dialog] [role=status]')
      const note = () => texts.push(status?.textContent ?? '')
      new MutationObserver(note).observe(status as Element, { characterData: true, childList: true, subtree: true })
      return texts
    })
    await input.fill('zzz')
    await page.getByText('Nothing found for “zzz”').waitFor()
    const texts = await said.evaluate((all) => [...new Set(all.filter((text) => text !== ''))])
    expect(texts).toEqual(['Looking for more …', 'Nothing found for “zzz”'])
    await page.keyboard.press('Escape')
  })

  test('the palette finds pages by keyboard alone, and the organization goes along', async () => {
    const { page } = admin
    const { id } = await expectCreated(api.admin.post('/api/organizations', { organization: { name: 'Acme' } }))
    await page.goto('/')
    await page.getByRole('button', { name: 'Organization: Any organization' }).click()
    await page.getByRole('option', { name: 'Acme' }).waitFor()
    // The page is slow to show the organization, and whoever chose it goes on at once.
    const rendering = await page.evaluateHandle(holdRendering)
    await page.getByRole('option', { name: 'Acme' }).click()
    await page.waitForURL((url) => url.searchParams.get('organization_id') === String(id))
    await page.keyboard.press('Control+k')
    await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
    await page.keyboard.type('operating')
    await page.locator('button[aria-current=true]', { hasText: 'Operating systems' }).waitFor()
    await page.keyboard.press('Enter')
    await rendering.evaluate((goOn) => goOn())
    await heading(page, 'Operating systems')
    await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
    expect(page.url()).toBe(`${address}/operatingsystems?organization_id=${id}`)
    await page.keyboard.press('?')
    await heading(page, 'Keyboard shortcuts')
    expect(page.url()).toBe(`${address}/shortcuts?organization_id=${id}`)
    await page.keyboard.press('Control+k')
    await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
    await expectAccessible(page, 'palette')
  })

  test('of several organizations one is needed, in the words of the service', async () => {
    const { page } = admin
    await page.goto('/activation_keys/new')
    await field(page, 'name').fill('without')
    await save(page)
    await page.getByText('One of parameters [ organization_id ] required but not specified.').waitFor()
    expect(await field(page, 'name').inputValue()).toBe('without')
  })
})

/** Holds what React renders when there is time, as on a busy machine; what follows a key at once goes on. */
function holdRendering(): () => void {
  const { postMessage } = MessagePort.prototype
  const held: (() => void)[] = []
  MessagePort.prototype.postMessage = function hold(this: MessagePort, message: unknown) {
    held.push(() => postMessage.call(this, message))
  } as typeof postMessage // the scheduler of React transfers nothing
  return () => {
    MessagePort.prototype.postMessage = postMessage
    for (const post of held) post()
  }
}
