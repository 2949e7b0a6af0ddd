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
import { findWide } from './walk-steps.ts'

// Lists in Chromium, on the real service: searches, selections and what is done to many. No test may cause a request to another host or a violation of the content
// security policy.

describe.skipIf(!chromium)('lists', { timeout: 120_000 }, () => {
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

  test('the selection is in the address: other pages, the back button, a reload and a link keep it', async () => {
    const { page } = admin
    const names = Array.from({ length: 21 }, (_, place) => `Row ${String(place).padStart(2, '0')}`)
    const operations = names.map((name) => ({ method: 'POST', path: '/api/models', body: { model: { name } } }))
    const { body } = await api.admin.post('/api/batch', { operations })
    const ids: number[] = body.results.map((result: { body: { id: number } }) => result.body.id)
    const list = '/models?search=name+%7E+Row&order=name+ASC'
    const toggle = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
    const remove = (count: number) => page.getByRole('button', { name: `${count} selected`, exact: true })
    const marked = (name: string) => page.locator(`input[aria-label="Select ${name}"]:checked`)

    await page.goto(list)
    await toggle('Row 00')
    await toggle('Row 01')
    await page.waitForURL(`${address}${list}&selected=${ids[0]}.${ids[1]}`)
    await page.getByRole('button', { name: 'Go to next page' }).first().press('Enter')
    await toggle('Row 20')
    await remove(3).waitFor()
    await page.waitForURL((url) => url.searchParams.get('selected') === [ids[0], ids[1], ids[20]].join('.'))
    await expectAccessible(page, 'a selection', 'main')
    await page.getByRole('link', { name: 'Row 20', exact: true }).press('Enter')
    await heading(page, 'Row 20')
    await page.goBack()
    await marked('Row 20').waitFor()
    await page.reload()
    await marked('Row 20').waitFor()
    await remove(3).waitFor()

    // Ids of records that do not exist make the selection too large for the address.
    const others = Array.from({ length: 98 }, (_, place) => 900_000 + place)
    await page.goto(`${list}&selected=${[...ids.slice(0, 2), ...others].join('.')}`)
    await remove(100).waitFor()
    await toggle('Row 02')
    await remove(101).waitFor()
    await page.getByText('holds at most 100 selected rows').waitFor()
    await page.waitForURL(`${address}${list}`)
    await page.reload()
    await marked('Row 02').waitFor()
    // Notices disappear by themselves, so that the test has to wait for one before it appears.
    await Promise.all([
      page.getByText('98 of the selected records no longer exist').waitFor(),
      chooseInMenu(page, '101 selected', 'Delete (101)'),
    ])
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Row 02').waitFor()
    await confirmDeletion(page, 3)
    await dialog.getByText('3 deleted, 0 refused').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    await page.getByRole('button', { name: 'Clear selection' }).waitFor({ state: 'detached' })
    await page.waitForURL(`${address}${list}`)
  })

  test('all that a search finds is selected, on every page, and deleted in portions', async () => {
    const { page } = admin
    const names = Array.from({ length: 120 }, (_, place) => `Many ${String(place).padStart(3, '0')}`)
    const operations = names.map((name) => ({ method: 'POST', path: '/api/models', body: { model: { name } } }))
    const { body } = await api.admin.post('/api/batch', { operations })
    const model_id: number = body.results[60].body.id
    await expectCreated(api.admin.post('/api/hosts', { host: { name: 'many.lab.test', managed: false, model_id } }))
    const remove = (count: number) => page.getByRole('button', { name: `${count} selected`, exact: true })
    const row = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
    const whole = page.getByRole('checkbox', { name: 'Select all on this page' })
    const all = page.getByRole('button', { name: 'Select all 120 matching records' })

    // A search with an unclosed quote has an equal result as a part of a longer one.
    const list = '/models?search=name+%7E+%22Many&order=name+ASC'
    await page.goto(list)
    await row('Many 000').waitFor()
    expect(await all.count()).toBe(0)
    await whole.press('Space')
    await page.getByText('All 20 records on this page are selected.').waitFor()
    await expectAccessible(page, 'a page of rows selected', 'main')
    await all.press('Enter')
    await page.getByText('All 120 matching records are selected, on all pages.').waitFor()
    await page.waitForURL(`${address}${list}&selected=all`)
    await page.getByRole('button', { name: 'Go to next page' }).first().press('Enter')
    await page.locator('input[aria-label="Select Many 020"]:checked').waitFor()
    await remove(120).waitFor()
    await page.reload()
    await page.locator('input[aria-label="Select Many 020"]:checked').waitFor()
    await expectAccessible(page, 'all that match selected', 'main')
    await row('Many 021').press('Space')
    await remove(19).waitFor()
    await row('Many 021').press('Space')
    await all.press('Enter')
    await remove(120).waitFor()

    // Another search does not keep "all" selected.
    await page.getByRole('combobox').fill('name ~ "Many 00')
    await page.getByRole('combobox').press('Escape')
    await page.getByRole('combobox').press('Enter')
    await row('Many 020').waitFor({ state: 'detached' })
    await page.locator('input[aria-label="Select Many 000"]:not(:checked)').waitFor()
    expect(await page.getByRole('button', { name: 'Clear selection' }).count()).toBe(0)

    // Cancelling takes effect after the portion that is being written.
    await page.goto(`${list}&selected=all`)
    await page.getByRole('button', { name: 'Bulk edit' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption('info')
    await field(page, 'info').fill('changed together')
    const cancelled = Promise.withResolvers<void>()
    await page.route('**/api/batch*', async (route) => {
      await cancelled.promise
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    await dialog.getByText('0 of 120').waitFor()
    await expectAccessible(page, 'many records being changed', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    cancelled.resolve()
    await dialog.getByText('50 changed, 0 refused, 70 not tried').waitFor()
    await page.unroute('**/api/batch*')
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    expect((await api.admin.get('/api/models?search=info+%3D+%22changed+together%22')).body.subtotal).toBe(50)

    await chooseInMenu(page, '120 selected', 'Delete (120)')
    await dialog.getByText('Delete 120 records?').waitFor()
    await dialog.getByText('And 70 more').waitFor()
    await expectAccessible(page, 'all that match to delete', '[role=dialog]')
    await expectCreated(api.admin.post('/api/models', { model: { name: 'Many since then' } }))
    await confirmDeletion(page, 120)
    await dialog.getByText('119 deleted, 1 refused').waitFor()
    await dialog.getByRole('listitem').first().getByText('is used by many.lab.test').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    await page.locator('input[aria-label="Select Many 060"]:checked').waitFor()
    await remove(1).waitFor()
    await page.locator('input[aria-label="Select Many since then"]:not(:checked)').waitFor()
    const { body: left } = await api.admin.get('/api/models?search=name+~+Many&order=name')
    expect(left.results.map(({ name }: { name: string }) => name)).toEqual(['Many 060', 'Many since then'])
  })

  test('of a long page only the rows that can be seen are there, and each is reached by scrolling', async () => {
    const { page } = admin
    const names = Array.from({ length: 300 }, (_, place) => `Long ${String(place).padStart(3, '0')}`)
    const operations = names.map((name) => ({ method: 'POST', path: '/api/models', body: { model: { name } } }))
    expect((await api.admin.post('/api/batch', { operations })).status).toBe(200)
    await page.goto('/models?search=name+~+Long&order=name+ASC&per_page=1000')
    await page.getByRole('link', { name: 'Long 000', exact: true }).waitFor()
    const table = page.getByRole('grid', { name: 'Hardware models' })
    expect(await table.getAttribute('aria-rowcount')).toBe('301')
    expect(await table.getByRole('row').count()).toBeLessThan(100)
    expect(await page.getByText('Long 299').count()).toBe(0)
    await expectAccessible(page, 'a long page', 'main')
    await page.getByRole('button', { name: 'Go to next page' }).last().scrollIntoViewIfNeeded()
    const last = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Long 299', exact: true }) })
    await last.waitFor()
    expect(await last.getAttribute('aria-rowindex')).toBe('301')
    await page.getByRole('link', { name: 'Long 000', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Long 299' }).press('Space')
    await page.getByRole('button', { name: '1 selected', exact: true }).waitFor()
  })

  test('one field of many records gets one value, with a result for each', async () => {
    const { page } = admin
    const environment = await expectCreated(api.admin.post('/api/environments', { environment: { name: 'together' } }))
    const group = await expectCreated(api.admin.post('/api/usergroups', { usergroup: { name: 'Together' } }))
    for (const name of ['one', 'two', 'three'])
      await expectCreated(api.admin.post('/api/hosts', { host: { name: `${name}.common.test`, managed: false } }))
    const dialog = page.getByRole('dialog')
    const open = async (key: string) => {
      await page.getByRole('button', { name: 'Bulk edit' }).press('Enter')
      await dialog.getByRole('combobox', { name: 'Field' }).selectOption(key)
      await dialog.locator(`#field-${key}`).waitFor()
    }
    const apply = async (summary: string) => {
      await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter')
      await dialog.getByText(summary).waitFor()
    }
    const close = async () => {
      await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
      await dialog.waitFor({ state: 'detached' })
    }
    const take = async (key: string, name: string) => {
      await dialog.locator(`#field-${key}`).fill(name)
      await page.getByRole('option', { name, exact: true }).click()
      await dialog.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }

    await page.goto('/hosts?search=name+~+common.test&selected=all')
    await open('environment_id')
    await dialog.getByText('Leave it empty to remove the current value.').waitFor()
    await take('environment_id', 'together')
    await expectAccessible(page, 'a field of many records', '[role=dialog]')
    await apply('3 changed, 0 refused')
    await expectAccessible(page, 'what became of each', '[role=dialog]')
    await close()

    // What changes with the group is said before, and may stay.
    const of = async () => (await api.admin.get('/api/hosts/one.common.test')).body
    const production = await expectCreated(api.admin.post('/api/environments', { environment: { name: 'production' } }))
    const hostgroup = { name: 'elsewhere', environment_id: production.id }
    await expectCreated(api.admin.post('/api/hostgroups', { hostgroup }))
    await page.goto('/hosts?search=name+~+common.test&selected=all')
    await open('hostgroup_id')
    await take('hostgroup_id', 'elsewhere')
    await dialog.getByText('Environment: production in place of together (hosts: 3)').waitFor()
    await expectAccessible(page, 'hosts to be moved', '[role=dialog]')
    await dialog.getByRole('checkbox', { name: 'Keep the current values of the hosts' }).press('Space')
    await apply('3 changed, 0 refused')
    expect(await of()).toMatchObject({ hostgroup_title: 'elsewhere', environment_name: 'together' })
    await close()
    await api.admin.put('/api/hosts/one.common.test', { host: { hostgroup_id: null } })
    await page.goto('/hosts/one.common.test/edit')
    await page.locator('#field-hostgroup_id').fill('elsewhere')
    await page.getByRole('option', { name: 'elsewhere', exact: true }).click()
    await page.getByText('Environment: production in place of together').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.waitForURL((url) => url.pathname === '/hosts/one.common.test')
    expect(await of()).toMatchObject({ hostgroup_title: 'elsewhere', environment_name: 'together' })
    await page.goto('/hosts?search=name+~+common.test&selected=all')
    await open('owner_id')
    await dialog.getByRole('combobox', { name: 'Owner type' }).selectOption('Usergroup')
    await take('owner_id', 'Together')
    await apply('3 changed, 0 refused')
    await close()
    await open('enabled')
    await apply('3 changed, 0 refused')
    await close()
    const { body: hosts } = await api.admin.get('/api/hosts?search=name+~+common.test')
    const changed = { environment_id: environment.id, owner_type: 'Usergroup', owner_id: group.id, enabled: false }
    expect(hosts.results).toMatchObject([changed, changed, changed])

    for (const name of ['Common free', 'Common locked']) {
      const provisioning_template = { name, template: 'x', snippet: true, locked: name === 'Common locked' }
      await expectCreated(api.admin.post('/api/provisioning_templates', { provisioning_template }))
    }
    await page.goto('/provisioning_templates?search=name+~+Common&selected=all')
    await open('description')
    await dialog.locator('#field-description').fill('For many')
    // The service has tried it, and stored nothing.
    await dialog.getByText(/^1 of 2 would be refused: .* Common locked$/).waitFor()
    const { body: before } = await api.admin.get('/api/provisioning_templates?search=name+~+Common')
    expect(before.results).toMatchObject([{ description: null }, { description: null }])
    await apply('1 changed, 1 refused')
    await dialog.getByRole('listitem').first().getByText('Common locked').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'Common free' }).getByText('Changed').waitFor()
    await close()
    const { body: templates } = await api.admin.get('/api/provisioning_templates?search=name+~+Common&order=name')
    expect(templates.results).toMatchObject([{ description: 'For many' }, { name: 'Common locked' }])
    expect(templates.results[1].description).not.toBe('For many')
  })

  test('a refused deletion does not stop the others, and shows the reason', async () => {
    const { page } = await open({ locale: 'de-DE' })
    const [used, ...rest] = await Promise.all(
      ['used', 'free', 'gone'].map((name) =>
        expectCreated(api.admin.post('/api/architectures', { architecture: { name: `together-${name}` } })),
      ),
    )
    const host = { name: 'together.lab.test', managed: false, architecture_id: used?.id }
    await expectCreated(api.admin.post('/api/hosts', { host }))
    const ids = [used, ...rest].map((one) => one?.id)
    await page.goto(`/architectures?search=name+~+together&selected=${ids.join('.')}`)
    await page.getByLabel('Benutzername').fill(ADMIN.login)
    await page.getByLabel('Passwort').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await chooseInMenu(page, '3 ausgewählt', 'Löschen (3)')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('together-gone').waitFor()
    expect((await api.admin.delete(`/api/architectures/${rest[1]?.id}`)).status).toBe(200)
    await confirmDeletion(page, 3)
    await dialog.getByText('1 gelöscht, 2 abgelehnt').waitFor()
    const line = (name: string) => dialog.getByRole('listitem').filter({ hasText: `together-${name}` })
    await line('used').getByText('is used by together.lab.test').waitFor()
    await line('gone').getByText('Er wurde gelöscht').waitFor()
    await line('free')
      .getByText(/Gelöscht$/)
      .waitFor()
    await expectAccessible(page, 'what became of each', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Schließen' }).last().press('Enter')
    await page.locator('input[aria-label="together-used auswählen"]:checked').waitFor()
    const { body } = await api.admin.get('/api/architectures?search=name+~+together')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['together-used'])
  })

  test('a search is completed, and its mistake shown where it is', async () => {
    const { page } = admin
    await page.goto('/models')
    await heading(page, 'Hardware models')
    await page.keyboard.press('/')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('nam')
    await page.getByRole('option', { name: 'name', exact: true }).waitFor()
    await expectAccessible(page, 'suggestions')
    await page.keyboard.press('Escape')
    await page.keyboard.type('e = x and colour = red')
    await page.keyboard.press('Enter')
    await page.getByText("Field 'colour' not recognized for searching!").waitFor()
    await page.getByText('name = x and ▸colour = red').waitFor()
    await expectAccessible(page, 'search with a mistake', 'main')
    await page.goBack()
    await page.getByRole('link', { name: HOSTILE.markup }).waitFor()
    await page.getByRole('combobox').fill('nam')
    await page.getByRole('option', { name: 'name', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'name', exact: true, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[role=combobox][value="name "]').waitFor()
    expect(page.url()).toBe(`${address}/models`)
  })

  test('columns are chosen and kept by the service, and a list is exported', async () => {
    const { page } = admin
    await page.goto('/models?order=id+ASC')
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Choose columns' }).click()
    await page.getByRole('checkbox', { name: 'Id' }).check()
    await expectAccessible(page, 'columns', '[role=dialog]')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('columnheader', { name: 'Id' }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Id' }).waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    const isWalked = page.waitForRequest((request) => /\/api\/models\?.*\bafter=/.test(request.url()))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('models.csv')
    await isWalked
  })

  test('a search is kept under a name, and found again', async () => {
    const { page } = admin
    await page.goto('/models?search=name+~+img')
    await page.getByRole('link', { name: HOSTILE.markup }).waitFor()
    await page.getByRole('button', { name: 'Save this search' }).press('Enter')
    await page.locator('#bookmark-name:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText("can't be blank").waitFor()
    await expectAccessible(page, 'a search to keep', '[role=dialog]')
    await page.keyboard.type('Pictures')
    await page.locator('#bookmark-public').press('Space')
    await page.locator('#bookmark-name').press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/models')
    const tabs = page.getByRole('navigation', { name: 'Saved searches' })
    await tabs.getByRole('link', { name: 'Pictures' }).press('Enter')
    await page.waitForURL(`${address}/models?search=name+%7E+img`)
    await tabs.locator('[aria-current]', { hasText: 'Pictures' }).waitFor()
    // What is saved already is not offered again.
    expect(await page.getByRole('button', { name: 'Save this search' }).count()).toBe(0)
    await expectAccessible(page, 'saved searches')
    await tabs.getByRole('link', { name: 'All', exact: true }).press('Enter')
    await page.waitForURL(`${address}/models`)
    const { body } = await api.admin.get('/api/bookmarks?search=name+%3D+Pictures')
    expect(body.results).toMatchObject([{ public: true, controller: 'models' }])
  })

  test.each(['/', '/models', '/hosts/new', '/nowhere'])(
    '%s fits, and can be used by everybody, in each look',
    async (path) => {
      const { page } = admin
      await page.goto(path)
      for (const { viewport, rules, theme, ...look } of LOOKS) {
        await page.setViewportSize(viewport)
        await page.emulateMedia(look)
        await page.locator(`${theme} :is(main h1, main h2)`).first().waitFor()
        await expectAccessible(page, `${path}, ${viewport.width}`, undefined, rules)
        expect(await findWide(page), path).toEqual([])
      }
    },
  )

  // That each opens is seen by the walk (walk.test.ts), which goes to them one by one.
  test('the page of all lists links to each of them', async () => {
    const { page } = admin
    await page.goto('/start')
    await page.getByRole('main').getByRole('link', { name: 'History' }).waitFor()
    expect(await page.getByRole('main').getByRole('link').count()).toBeGreaterThan(40)
    // Changes have one page: the history.
    expect(await page.getByRole('link', { name: /^Audits?$/ }).count()).toBe(0)
  })
})

const LOOKS = [
  {
    colorScheme: 'dark',
    contrast: 'no-preference',
    theme: '.pf-v6-theme-dark',
    viewport: { width: 360, height: 740 },
    rules: undefined,
  },
  // The parts are the same as above: only colours and the width are others.
  {
    colorScheme: 'light',
    contrast: 'more',
    theme: 'html:not(.pf-v6-theme-dark)',
    viewport: { width: 3840, height: 2160 },
    rules: ['color-contrast'],
  },
] as const
