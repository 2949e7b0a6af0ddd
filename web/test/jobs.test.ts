import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRunsWorld, type RunsWorld } from '../../test/api/configrun-world.ts'
import { ADMIN, expectCreated } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import { startDirectory } from '../../test/support/directories/index.ts'
import { given } from '../../test/support/given.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// The handmade pages, used by keyboard alone, on a service whose runs execute a program.

const directory = chromium ? await startDirectory('slapd') : null

describe.skipIf(!chromium)('jobs', { timeout: 120_000 }, () => {
  let world: RunsWorld
  let workers: AsyncDisposable
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  let address: string

  beforeAll(async () => {
    browser = await openBrowser()
    world = await openRunsWorld()
    workers = await world.workers()
    address = await world.api.listen()
    admin = await browser.open(address)
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await workers?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
    await directory?.[Symbol.asyncDispose]()
  })

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  test('the script of the first page is at most 250 KB', async () => {
    const { page } = admin
    await page.goto('/')
    await part(page, 'Last changes').getByRole('link').first().waitFor()
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    )
    expect(bytes.length).toBeGreaterThan(1)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(250_000)
  })

  test.skipIf(!directory)('the first ten minutes need nothing but a keyboard', async () => {
    if (!directory) return
    const { api } = world
    const organization = await given(api.admin, 'organization', { name: 'Newcomers' })
    const environment = await given(api.admin, 'environment', { name: 'beginning' })
    await given(api.admin, 'hostgroup', { name: 'First hosts', environment_id: environment.id })
    const { page, wrong } = await browser.open(address)
    const { keyboard } = page
    const reach = async (target: Locator, key = 'Tab') => {
      await target.waitFor()
      for (let pressed = 0; pressed < 80; pressed++) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await keyboard.press(key)
      }
      throw new Error(`${target} is not reached by ${key}`)
    }
    const fill = async (key: string, text: string) => {
      await reach(page.locator(`#field-${key}`))
      await keyboard.press('ControlOrMeta+a')
      await keyboard.type(text)
    }
    const goTo = async (text: string, choice: string) => {
      await keyboard.press('Control+k')
      await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
      await keyboard.type(text)
      await page.locator('button[aria-current=true]', { hasText: choice }).waitFor()
      await keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: choice, exact: true }).waitFor()
    }
    const titled = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

    await page.goto('/')
    await reach(page.getByLabel('Login'))
    await keyboard.type(ADMIN.login)
    await reach(page.getByLabel('Password'))
    await keyboard.type(ADMIN.password)
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()

    await goTo('create directory', 'Create Directory')
    await fill('name', 'Company')
    await fill('host', directory.host)
    await fill('port', String(directory.port))
    await fill('account', directory.serviceAccount.dn)
    await fill('account_password', directory.serviceAccount.password)
    await fill('base_dn', directory.usersBase)
    await fill('attr_login', directory.loginAttribute)
    await reach(page.getByRole('button', { name: 'Test these values' }))
    await keyboard.press('Enter')
    await page.getByText('People can log in with these values').waitFor()
    await expectAccessible(page, 'a directory that works')
    await keyboard.press('Control+Enter')
    await titled('Company')

    await goTo('create host', 'Create Host')
    await fill('name', 'first.lab.test')
    await fill('hostgroup_id', 'First hosts')
    await page.getByRole('option', { name: 'First hosts', exact: true, selected: true }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove First hosts' }).waitFor()
    await keyboard.press('Control+Enter')
    await titled('first.lab.test')
    const value = page.getByRole('grid', { name: 'Overview' }).getByRole('row').filter({ hasText: 'beginning' })
    await value.getByText('Host group First hosts').waitFor()

    await reach(page.getByRole('button', { name: 'Organization: Any organization' }))
    await keyboard.press('Enter')
    await reach(page.getByRole('option', { name: 'Newcomers', exact: true }), 'ArrowDown')
    await keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('organization_id') === String(organization.id))
    await goTo('create activation', 'Create Activation key')
    await fill('name', 'first')
    await keyboard.press('Control+Enter')
    await titled('first')
    await reach(page.getByRole('button', { name: 'Make the command' }))
    await keyboard.press('Enter')
    const command = page.getByRole('textbox', { name: 'Command' })
    await command.waitFor()
    expect(await command.inputValue()).toContain('activation_keys=first')
    await reach(page.getByRole('button', { name: 'Copy' }))
    expect(wrong).toEqual([])
  })

  test('a host is run, and its output is there while it is printed', async () => {
    const { page } = admin
    const { name } = await world.host('wait-1.lab.test')
    await page.goto(`/hosts/${name}?tab=runs`)
    await page.getByRole('button', { name: 'Run the configuration now' }).press('Enter')
    await page.waitForURL(/config_runs\/\d+/)
    const output = page.getByRole('log', { name: 'Output' })
    await output.getByText(`configuring ${name}`).waitFor()
    await part(page, 'Output').getByText('running', { exact: true }).waitFor()
    await expectAccessible(page, 'run')
    world.program.letGo()
    await output.getByText('done').waitFor()
    await part(page, 'Output').getByText('succeeded', { exact: true }).waitFor()
    await page.goto(`/hosts/${name}?tab=runs`)
    await page
      .getByRole('list', { name: 'Length of the last runs' })
      .getByRole('link', { name: /succeeded/ })
      .waitFor()
    await expectAccessible(page, 'runs of a host')
  })

  test('a template is written with what a host would get of it beside the text', async () => {
    const { page } = admin
    await world.host('web1.text.test')
    for (const name of ['Web', 'Database']) await given(world.api.admin, 'hostgroup', { name })
    await given(world.api.admin, 'environment', { name: 'production' })
    const { id } = await given(world.api.admin, 'provisioning_template', { name: 'Greeting', template: 'old' })
    await page.goto(`/provisioning_templates/${id}/edit`)
    await page.getByRole('combobox', { name: 'Host', exact: true }).fill('web1.text')
    await page.getByRole('option', { name: 'web1.text.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const text = page.getByRole('textbox', { name: 'Template', exact: true })
    await text.fill('first\n<%= @host.nothing %>\nlast')
    await page
      .locator('.cm-line', { hasText: '@host' })
      .locator('span', { hasText: /^nothing|@host$/ })
      .first()
      .waitFor()
    await part(page, 'Rendering').getByText('line 2:').waitFor()
    await wrongLine(page, 2)
    await expectAccessible(page, 'template with a mistake')
    await text.press('Tab')
    expect(await isFocused(text), 'Tab is kept in the editor').toBe(false)
    await part(page, 'Rendering').getByRole('button', { name: 'Go to line 2' }).press('Enter')
    expect(await isFocused(text)).toBe(true)
    await page.keyboard.type('I am <%= @host.name %>')
    await part(page, 'Rendered text').getByText('I am web1.text.test').waitFor()
    await expectAccessible(page, 'template')
    await text.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Greeting' }).waitFor()
    const cell = page.getByRole('checkbox', { name: 'Web, production' })
    await cell.press('Space')
    await page.locator('input[aria-label="Web, production"]:checked').waitFor()
    await expectAccessible(page, 'combinations')
    const { body } = await world.api.admin.get(`/api/provisioning_templates/${id}`)
    expect(body).toMatchObject({
      template: 'first\nI am <%= @host.name %>\nlast',
      template_combinations: [{ hostgroup_name: 'Web', environment_name: 'production' }],
    })
    await cell.press('Space')
    await page.locator('input[aria-label="Web, production"]:not(:checked)').waitFor()
  })

  test('a value with a language says at which line it cannot be read, in every look, and Tab leaves it', async () => {
    const { page } = admin
    const parameter = { name: 'limits', parameter_type: 'json', value: '{"open": [1, 2]}' }
    const { id } = await given(world.api.admin, 'common_parameter', parameter)
    await page.goto(`/common_parameters/${id}/edit`)
    const value = page.getByRole('textbox', { name: 'Value', exact: true })
    await value.waitFor()
    expect(await value.locator('.cm-line').allTextContents()).toEqual([
      '{',
      '  "open": [',
      '    1,',
      '    2',
      '  ]',
      '}',
    ])
    await page.locator('label[for=field-value]').click()
    expect(await isFocused(value)).toBe(true)
    await value.fill('{\n  open: true\n}')
    await page.getByText(/^Line 2: /).waitFor()
    await wrongLine(page, 2)
    for (const look of [{ colorScheme: 'dark' }, { colorScheme: 'light', contrast: 'more' }] as const) {
      await page.emulateMedia({ contrast: 'no-preference', ...look })
      await expectAccessible(page, `a value that cannot be read, ${JSON.stringify(look)}`)
    }
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
    await value.press('Control+Enter')
    await page.locator('#field-value-help').getByText('is invalid json').first().waitFor()
    await page.locator('#field-parameter_type').selectOption('yaml')
    await value.fill('open: [1')
    await page.getByText('This cannot be read as YAML.').waitFor()
    await value.fill('open:\n  - 1')
    await page.getByText('This cannot be read as YAML.').waitFor({ state: 'detached' })
    await value.press('Tab')
    expect(await isFocused(value), 'Tab is kept in the editor').toBe(false)
    await value.press('Control+Enter')
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
    await page.getByRole('heading', { level: 1, name: 'limits' }).waitFor()
    expect((await world.api.admin.get(`/api/common_parameters/${id}`)).body.value).toEqual({ open: [1] })
  })

  test('a matcher is looked at before it is saved, and the history says who saved it', async () => {
    const { page } = admin
    const { api } = world
    const environment = await given(api.admin, 'environment', { name: 'stable' })
    const configclass = await given(api.admin, 'configclass', { name: 'ntp', environment_ids: [environment.id] })
    const links = { environment_id: environment.id, configclass_ids: [configclass.id] }
    const group = await given(api.admin, 'hostgroup', { name: 'Clocks', ...links })
    await given(api.admin, 'host', { name: 'clock.lab.test', hostgroup_id: group.id })
    await given(api.admin, 'host', { name: 'other.lab.test', environment_id: environment.id })
    const columns = { override: true }
    const facts = { configclass, parameter: 'servers', default_value: '"pool.lab.test"', columns }
    const { id } = await importedParameter(api, facts)
    await page.goto(`/smart_class_parameters/${id}`)
    const matchers = part(page, 'Matchers')
    await matchers.getByRole('textbox', { name: 'Match' }).fill('hostgroup=Clocks')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('own.lab.test')
    await matchers.getByRole('button', { name: 'Show what would change' }).press('Enter')
    const row = matchers.getByRole('row').filter({ hasText: 'clock.lab.test' })
    await row.filter({ hasText: 'pool.lab.test' }).filter({ hasText: 'own.lab.test' }).waitFor()
    expect((await api.admin.get(`/api/smart_class_parameters/${id}`)).body.override_values).toEqual([])
    const document = part(page, 'The node document before and after')
    await document.locator('del', { hasText: '"servers": "pool.lab.test"' }).waitFor()
    await document.locator('ins', { hasText: '"servers": "own.lab.test"' }).waitFor()
    await document.getByRole('button', { name: 'Remove clock.lab.test' }).press('Enter')
    await document.getByRole('combobox', { name: 'Host' }).fill('other')
    await page.getByRole('option', { name: 'other.lab.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await document.getByText('The host would be told the same.').waitFor()
    await expectAccessible(page, 'preview of a matcher')
    await matchers.getByRole('button', { name: 'Save' }).press('Enter')
    await matchers.getByRole('rowheader', { name: 'hostgroup=Clocks' }).waitFor()
    const rules = part(page, 'Order and merging')
    await rules.getByRole('button', { name: 'Move hostgroup up' }).press('Enter')
    await rules.getByRole('button', { name: 'Show what would change' }).press('Enter')
    await rules.getByText('No host would get another value.').waitFor()
    await part(page, 'The node document before and after').waitFor()
    await part(page, 'Who wins for a host').getByRole('combobox', { name: 'Host' }).fill('clock')
    await page.getByRole('option', { name: 'clock.lab.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const candidate = part(page, 'Who wins for a host').getByRole('row').filter({ hasText: 'hostgroup=Clocks' })
    await candidate.getByText('chosen', { exact: true }).waitFor()
    await expectAccessible(page, 'class parameter')
    await page.goto('/history')
    await page.getByRole('combobox', { name: 'Any kind of record' }).selectOption('Matcher')
    await page.waitForURL(/kind=override_value/)
    const change = page.getByRole('grid', { name: 'History' }).getByRole('row').filter({ hasText: 'own.lab.test' })
    await change.first().waitFor()
    await expectAccessible(page, 'history')
  })

  test('of two people who change one matcher the second is asked, and nothing typed is lost', async () => {
    const { page } = admin
    const { api } = world
    await given(api.admin, 'hostgroup', { name: 'Shared' })
    const columns = { override: true }
    const { id } = await importedParameter(api, { parameter: 'shared', default_value: '"default"', columns })
    const list = `/api/smart_class_parameters/${id}/override_values`
    const sent = { match: 'hostgroup=Shared', value: 'first' }
    const override = await expectCreated(api.admin.post(list, { override_value: sent }))
    const path = `${list}/${override.id}`
    const value = async () => (await api.admin.get(path)).body.value
    const change = async (next: string) =>
      expect((await api.admin.put(path, { override_value: { value: next } })).status).toBe(200)
    const matchers = part(page, 'Matchers')
    const typed = matchers.getByRole('textbox', { name: 'Value' })
    const press = (name: string) => matchers.getByRole('button', { name, exact: true }).press('Enter')
    const warning = matchers.getByRole('alert').getByText('Somebody else has changed this meanwhile.').first()
    const saveTyped = async () => {
      await press('Show what would change')
      await press('Save')
      await warning.waitFor()
    }

    await page.goto(`/smart_class_parameters/${id}`)
    await press('Edit: hostgroup=Shared')
    await page.locator('#matcher-match[value="hostgroup=Shared"]').waitFor()
    await change('theirs')
    await typed.fill('mine')
    await saveTyped()
    const compared = matchers.getByRole('grid').getByRole('row').filter({ hasText: 'theirs' })
    await compared.getByText('mine', { exact: true }).waitFor()
    await expectAccessible(page, 'matcher changed meanwhile')
    expect([await value(), await typed.inputValue()]).toEqual(['theirs', 'mine'])
    await typed.fill('mine again')
    await warning.waitFor({ state: 'detached' })
    await saveTyped()
    expect(await typed.inputValue()).toBe('mine again')
    await press('Save mine anyway')
    await warning.waitFor({ state: 'detached' })
    await page.locator('#matcher-match[value=""]').waitFor()
    expect(await value()).toBe('mine again')

    await press('Delete: hostgroup=Shared')
    await matchers.getByText('No host would get another value.').waitFor()
    await change('needed')
    await press('Save')
    await warning.waitFor()
    expect(await value()).toBe('needed')
    await press('Discard mine and load the new values')
    await warning.waitFor({ state: 'detached' })
    await matchers.getByRole('row').filter({ hasText: 'hostgroup=Shared' }).getByText('needed').waitFor()
  })

  test('of two people who change one order of matchers the second is asked, and nothing typed is lost', async () => {
    const { page } = admin
    const { api } = world
    const columns = { override: true, override_value_order: 'fqdn\nos\ndomain' }
    const { id } = await importedParameter(api, { parameter: 'ordered', default_value: '"default"', columns })
    const path = `/api/smart_class_parameters/${id}`
    const order = async () => (await api.admin.get(path)).body.override_value_order
    const change = async (next: string) => {
      const smart_class_parameter = { override_value_order: next }
      expect((await api.admin.put(path, { smart_class_parameter })).status).toBe(200)
    }
    const rules = part(page, 'Order and merging')
    const press = (name: string) => rules.getByRole('button', { name, exact: true }).press('Enter')
    const first = (line: string) => rules.locator('li:first-child').filter({ hasText: line }).waitFor()
    const warning = rules.getByRole('alert').getByText('Somebody else has changed this meanwhile.').first()
    const saveTyped = async () => {
      await press('Show what would change')
      await press('Save')
      await warning.waitFor()
    }

    await page.goto(`/smart_class_parameters/${id}`)
    await first('fqdn')
    await change('fqdn\ndomain')
    await press('Move os up')
    await first('os')
    await saveTyped()
    await rules.getByRole('grid').getByRole('row').filter({ hasText: 'fqdn domain' }).waitFor()
    await expectAccessible(page, 'order changed meanwhile')
    expect(await order()).toBe('fqdn\ndomain')
    await press('Move domain up')
    await warning.waitFor({ state: 'detached' })
    await saveTyped()
    const isStored = (answer: Response) => answer.request().method() === 'PUT' && answer.ok()
    await Promise.all([page.waitForResponse(isStored), press('Save mine anyway')])
    await warning.waitFor({ state: 'detached' })
    await first('os')
    expect(await order()).toBe('os\ndomain\nfqdn')

    await change('domain')
    await press('Move domain up')
    await first('domain')
    await saveTyped()
    expect(await order()).toBe('domain')
    await press('Discard mine and load the new values')
    await warning.waitFor({ state: 'detached' })
    await rules.getByRole('button', { name: 'Move os up' }).waitFor({ state: 'detached' })
    await first('domain')

    // A matcher that is saved on the page does not conflict with it.
    await rules.getByRole('textbox', { name: 'Another line of the order' }).fill('fqdn')
    await press('Add')
    await rules.getByRole('button', { name: 'Move fqdn up' }).waitFor()
    const matchers = part(page, 'Matchers')
    await matchers.getByRole('textbox', { name: 'Match' }).fill('domain=lab.test')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('near')
    await matchers.getByRole('button', { name: 'Show what would change' }).press('Enter')
    await matchers.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await matchers.getByRole('rowheader', { name: 'domain=lab.test' }).waitFor()
    await press('Show what would change')
    await press('Save')
    await rules.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    expect(await order()).toBe('domain\nfqdn')
  })

  test('the order is changed by dragging a line or a matcher, or with the arrow keys at its grip', async () => {
    const { page } = admin
    const { api } = world
    const columns = { override: true, override_value_order: 'fqdn\nos\ndomain' }
    const { id } = await importedParameter(api, { parameter: 'dragged', default_value: '"default"', columns })
    await world.host('drag.lab.test')
    for (const match of ['fqdn=drag.lab.test', 'domain=lab.test'])
      await expectCreated(
        api.admin.post(`/api/smart_class_parameters/${id}/override_values`, {
          override_value: { match, value: match },
        }),
      )
    const rules = part(page, 'Order and merging')
    const matchers = part(page, 'Matchers')
    const grip = (place: Locator, name: string) => place.getByRole('button', { name: `Order of ${name}, place` })
    const order = async (lines: readonly string[]) => {
      await rules
        .getByRole('listitem')
        .first()
        .filter({ hasText: lines[0] ?? '' })
        .waitFor()
      expect(await rules.getByRole('listitem').locator('bdi').allTextContents()).toEqual(lines)
    }
    await page.goto(`/smart_class_parameters/${id}`)
    await grip(rules, 'domain').dragTo(rules.getByRole('listitem').first())
    await order(['domain', 'fqdn', 'os'])
    expect(await matchers.getByRole('rowheader').allTextContents()).toEqual(['domain=lab.test', 'fqdn=drag.lab.test'])
    await grip(matchers, 'fqdn=drag.lab.test').dragTo(matchers.getByRole('rowheader', { name: 'domain=lab.test' }))
    await order(['fqdn', 'domain', 'os'])
    await grip(rules, 'fqdn').press('ArrowDown')
    await rules.getByText('fqdn is now at place 2 of 3').waitFor()
    await page.keyboard.press('ArrowDown')
    await order(['domain', 'os', 'fqdn'])
    await matchers.getByText('The order has changed').waitFor()
    await expectAccessible(page, 'another order')
    await rules.getByRole('button', { name: 'Show what would change' }).press('Enter')
    await rules.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await rules.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    expect((await api.admin.get(`/api/smart_class_parameters/${id}`)).body.override_value_order).toBe(
      'domain\nos\nfqdn',
    )

    // The form of the parameter keeps the lines, and shows no field under two names.
    await page.goto(`/smart_class_parameters/${id}/edit`)
    await page.locator('#field-override_value_order').waitFor()
    expect(await page.locator('textarea#field-override_value_order').inputValue()).toBe('domain\nos\nfqdn')
    expect(await page.getByRole('checkbox', { name: 'Hidden', exact: true }).count()).toBe(1)
    expect(await page.locator('#field-key_type, #field-path, #field-use_config_default').count()).toBe(0)
  })

  test('the console says who may do what, by which filter, and what a role is about', async () => {
    const { page } = admin
    const { api } = world
    const { id } = await given(api.admin, 'role', { name: 'Readers' })
    const filter = { role_id: id, permission_names: ['view_models'], search: 'name ~ Gamma' }
    await expectCreated(api.admin.post('/api/filters', { filter }))
    for (const name of ['Gamma 7', 'Delta 7']) await given(api.admin, 'model', { name })
    const reader = await given(api.admin, 'user', { login: 'reader', role_ids: [id] })
    const choose = async (label: string, text: string, option: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).fill(text)
      await page.getByRole('option', { name: option, exact: true }).and(page.locator('[aria-selected=true]')).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.goto('/who_may?kind=models&permission=view_models')
    await choose('User', 'reader', 'reader')
    // Enter, pressed while earlier results are shown, takes a result for the present text.
    const found = Promise.withResolvers<void>()
    const isSearch = ({ pathname, searchParams }: URL) =>
      pathname === '/api/models' && searchParams.get('search') === '"Gamma"'
    await page.route(isSearch, async (route) => {
      await found.promise
      await route.continue()
    })
    const models = page.getByRole('combobox', { name: 'Hardware model', exact: true })
    await models.click()
    await page.getByRole('option', { name: 'Delta 7', exact: true }).waitFor()
    await models.fill('Gamma')
    await models.press('Enter')
    found.resolve()
    await page.getByText('Yes, they may').waitFor()
    const filters = page.getByRole('grid', { name: 'Filters' }).getByRole('row').filter({ hasText: 'Readers' })
    await filters.getByText('name ~ Gamma').waitFor()
    await expectAccessible(page, 'who may')
    const other = (await api.admin.get('/api/models?search=name+%3D+%22Delta+7%22')).body.results[0].id
    await page.goto(`/who_may?user=${reader.id}&kind=models&record=${other}&permission=view_models`)
    await page.getByText('No, they may not').waitFor()
    await filters.getByText('No', { exact: true }).waitFor()
    await page.goto(`/roles/${id}`)
    await part(page, 'What the role grants').getByRole('link', { name: '1', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Gamma 7', exact: true }).waitFor()
    await page.goBack()
    await part(page, 'What the role grants').getByText('view_models').waitFor()
    await expectAccessible(page, 'role')
  })

  test('hosts that a search finds are run, and what failed first is said', async () => {
    const { page } = admin
    for (const name of ['fail-1', 'good-1', 'good-2']) await world.host(`${name}.many.test`)
    await page.goto('/hosts?search=name+~+many.test')
    await page.getByRole('checkbox', { name: 'Select good-1.many.test' }).press('Space')
    await page.getByRole('button', { name: 'Delete (1)' }).waitFor()
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Run the configuration of these hosts' }).press('Enter')
    await part(page, 'What it reaches').getByText('The search finds 1 hosts.').waitFor()
    expect(await page.locator('#field-search').inputValue()).toBe('name ^ (good-1.many.test)')
    await page.goBack()
    await page.getByRole('button', { name: 'Leave', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
    await page.getByRole('button', { name: 'Clear selection' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Run the configuration of these hosts' }).press('Enter')
    await part(page, 'What it reaches').getByText('The search finds 3 hosts.').waitFor()
    expect(await page.locator('#field-search').inputValue()).toBe('name ~ many.test')
    await expectAccessible(page, 'a rollout to start')
    await page.locator('#field-search').press('Control+Enter')
    await part(page, 'Progress').getByText('3 of 3 runs have ended').waitFor()
    await part(page, 'Progress').getByText('finished', { exact: true }).waitFor()
    const failed = part(page, 'What failed first').getByRole('row').filter({ hasText: 'fail-1.many.test' })
    await failed.getByText('3', { exact: true }).waitFor()
    const past = part(page, 'The last rollouts').getByRole('list', { name: 'The last rollouts' }).getByRole('link')
    expect(await past.count()).toBe(1)
    expect(await past.textContent()).toContain('name ~ many.test, 3 runs, 1 failed')
    expect(await past.getAttribute('aria-current')).toBe('page')
    await expectAccessible(page, 'rollout')
    await failed.getByRole('link').press('Enter')
    await page.getByRole('log', { name: 'Output' }).getByText('no catalog').waitFor()
  })
})

/** Tells whether an editor, which is in a shadow root, has the focus. */
function isFocused(field: Locator): Promise<boolean> {
  return field.evaluate((element) => {
    const root = element.getRootNode()
    return root instanceof ShadowRoot && root.activeElement === element && document.activeElement === root.host
  })
}

/** Waits until the editor marks a line as wrong. */
async function wrongLine(page: Page, line: number): Promise<void> {
  const marks = page.locator('.cm-gutter-lint .cm-gutterElement').filter({ has: page.locator('.cm-lint-marker-error') })
  await marks.first().waitFor()
  const numbers = page.locator('.cm-lineNumbers .cm-gutterElement').filter({ hasText: new RegExp(`^${line}$`) })
  const at = async (one: Locator) => Math.round((await one.boundingBox())?.y ?? -1)
  expect(await at(marks.first())).toBe(await at(numbers.last()))
}
