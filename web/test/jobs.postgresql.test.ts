import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRunsWorld, type RunsWorld } from '../../test/api/configrun-world.ts'
import { ADMIN, expectCreated } from '../../test/support/api.ts'
import { startDirectory } from '../../test/support/directories/index.ts'
import { given } from '../../test/support/given.ts'
import { chooseInMenu, chromium, drag, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'
import counts from './clicks.json' with { type: 'json' }
import { createMouse, type Mouse } from './clicks.ts'
import { createHands } from './keyboard.ts'
import { JOBS, OF_A_DIRECTORY, seedJobs } from './ten-jobs.ts'

// Ten jobs with a mouse, and the handmade pages by keyboard alone, on a service whose runs execute a program.

/** The presses of each job. A page that needs more fails; one that needs fewer lowers its number. */
const CLICKS: Readonly<Record<string, number>> = counts

const directory = chromium ? await startDirectory('slapd') : null

describe.skipIf(!chromium)('jobs', { timeout: 120_000 }, () => {
  let world: RunsWorld
  let workers: AsyncDisposable
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  let address: string

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
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

  describe('of the ten jobs', () => {
    let window: Window
    let mouse: Mouse

    beforeAll(async () => {
      await seedJobs(world)
      window = await browser.open(address)
      mouse = await createMouse(window.page)
      await window.page.goto('/')
      await logIn(window.page, ADMIN.login, ADMIN.password)
    })
    afterEach(() => expect(window.wrong.splice(0)).toEqual([]))
    afterAll(() => window?.page.context().close())

    test.for(Object.entries(JOBS))('%s takes no more clicks than it did', async ([name, work], { skip }) => {
      if (!directory && name === OF_A_DIRECTORY) return skip()
      const { page } = mouse
      await page.goto('/')
      await page.getByRole('region', { name: 'Last changes' }).getByRole('link').first().waitFor()
      await mouse.takeCount()
      await work({ world, mouse, directory })
      expect(await mouse.takeCount()).toBe(CLICKS[name])
    })
  })

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  test.skipIf(!directory)(
    'the steps of a directory are a key away, and end with what a person may do, in German',
    async () => {
      if (!directory) return
      const { admin: caller } = world.api
      const role = await given(caller, 'role', { name: 'Operators' })
      const filter = { role_id: role.id, permission_names: ['view_hosts', 'edit_hosts'] }
      await expectCreated(caller.post('/api/filters', { filter }))
      await given(caller, 'usergroup', { name: 'Shift', role_ids: [role.id] })
      const { host, port, serviceAccount, usersBase, groupsBase } = directory
      const source = await given(caller, 'auth_source_ldap', {
        ...{ host, port, base_dn: usersBase, groups_base: groupsBase, onthefly_register: true },
        ...{ account: serviceAccount.dn, account_password: serviceAccount.password },
      })
      const { page, wrong } = await browser.open(address, { locale: 'de' })
      const hands = createHands(page)
      await page.goto(`/auth_source_ldaps/${source.id}`)
      await logIn(page, ADMIN.login, ADMIN.password)
      await hands.use(page.getByRole('button', { name: 'Verbindung prüfen' }))
      await page.getByText('Mit diesen Werten kann man sich anmelden').waitFor()
      await hands.fill(page.getByLabel('Gruppe im Verzeichnis'), 'Engineering')
      await hands.choose(page.getByRole('combobox', { name: 'Benutzergruppe' }), 'Shift', 'Shift')
      await hands.use(page.getByRole('button', { name: 'Gruppe verknüpfen' }))
      await page.getByRole('link', { name: 'Engineering', exact: true }).waitFor()
      await expectAccessible(page, 'directory')
      await page.goto(`/auth_source_ldaps/${source.id}/edit`)
      const step = (name: string) => page.getByRole('navigation', { name: 'Schritte' }).getByRole('button', { name })
      await hands.fill(page.locator('#field-port'), '70000')
      await hands.use(step('3. Personen'))
      await page.locator('#field-base_dn').waitFor()
      await expectAccessible(page, 'step of a directory')
      await page.keyboard.press('Control+Enter')
      await page.locator('#field-port:focus').waitFor()
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: '1. Server' }) })
        .getByText('Fehler: 1')
        .waitFor()
      await hands.fill(page.locator('#field-port'), String(port))
      await hands.use(step('5. Anmelden als …'))
      await hands.fill(page.getByLabel('Benutzername einer Person'), 'nobody-at-all')
      await page.keyboard.press('Enter')
      await page.getByText('Mit diesem Benutzernamen kann sich niemand anmelden').waitFor()
      await hands.fill(page.getByLabel('Benutzername einer Person'), 'carol')
      await page.keyboard.press('Enter')
      await page.getByText('Die erste Anmeldung legt einen Benutzer an').waitFor()
      for (const name of ['Shift', 'Operators']) await page.getByRole('link', { name, exact: true }).waitFor()
      await hands.use(page.getByRole('button', { name: /^Berechtigungen: \d+$/ }))
      await page.getByText(/edit_hosts.*view_hosts/).waitFor()
      await expectAccessible(page, 'person of a directory')
      expect((await caller.get('/api/users?search=login+%3D+carol')).body.results).toEqual([])
      expect(wrong).toEqual([])
    },
  )

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
      .getByRole('list', { name: 'Duration of recent runs' })
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
    // The editor takes notice of a selection made by a script later than of keys.
    await text.press('Control+A')
    await page.keyboard.insertText('first\n<%= @host.nothing %>\nlast')
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
    await page.keyboard.type('I am <%= @ho')
    await page.getByRole('option', { name: '@host', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('.nam')
    await page.getByRole('option', { name: 'name', exact: true }).waitFor()
    await expectAccessible(page, 'completion of a template')
    await page.keyboard.type('e %>')
    await part(page, 'Rendered text').getByText('I am web1.text.test').waitFor()
    await expectAccessible(page, 'template')
    await text.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Greeting' }).waitFor()
    const cell = page.getByRole('checkbox', { name: 'Web, production' })
    await cell.press('Space')
    await page.locator('input[aria-label="Web, production"]:checked').waitFor()
    await part(page, 'Used by').getByRole('link', { name: 'Hosts there: Web, production' }).waitFor()
    const compared = part(page, 'Compare versions')
    await compared.locator('del', { hasText: 'old' }).waitFor()
    await compared.locator('ins', { hasText: 'I am' }).waitFor()
    await expectAccessible(page, 'combinations')
    const { body } = await world.api.admin.get(`/api/provisioning_templates/${id}`)
    expect(body).toMatchObject({
      template: 'first\nI am <%= @host.name %>\nlast',
      template_combinations: [{ hostgroup_name: 'Web', environment_name: 'production' }],
    })
    await cell.press('Space')
    await page.locator('input[aria-label="Web, production"]:not(:checked)').waitFor()
  })

  test('a group of the tree is moved below another one, by hand or by mouse, after a look at its hosts', async () => {
    const { page } = admin
    const make = (name: string, more: object = {}) => given(world.api.admin, 'hostgroup', { name, ...more })
    const parameters = (value: string) => ({ group_parameters_attributes: [{ name: 'tier', value }] })
    const north = await make('North', parameters('n'))
    const south = await make('South', parameters('s'))
    const { id: class_id } = await given(world.api.admin, 'configclass', { name: 'racked' })
    const moved = await make('Racks', { parent_id: north.id })
    await make('Shelves', { configclass_ids: [class_id] })
    await world.host('tree.text.test', { hostgroup_id: moved.id })
    const parent = async () => (await world.api.admin.get(`/api/hostgroups/${moved.id}`)).body.parent_id
    await page.goto('/hostgroup_tree')
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await row('North').getByText('tier = n').waitFor()
    await row('Racks').getByText('Nothing: inherits everything').waitFor()
    await row('Shelves').getByText('Classes: racked').waitFor()
    await expectAccessible(page, 'tree of host groups')
    await page.goto(`/hostgroups/${north.id}`)
    await part(page, 'Hosts and groups').getByText('Hosts in this group: 0').waitFor()
    await part(page, 'Hosts and groups').getByText('With the groups below it: 1').click()
    await page.getByRole('link', { name: 'tree.text.test', exact: true }).waitFor()
    await page.goto('/hostgroup_tree')
    await drag(row('Racks'), row('South'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Hosts with another classification after the move: 1 of 1 compared').waitFor()
    await dialog.getByRole('link', { name: 'tree.text.test' }).waitFor()
    await expectAccessible(page, 'preview of a move')
    expect(await parent()).toBe(north.id)
    await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await parent()).toBe(south.id)
    await page.getByRole('button', { name: 'Groups below South' }).press('Enter')
    await row('Racks').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Groups below South' }).press('Enter')
    await page.getByRole('button', { name: 'Move South/Racks' }).press('Enter')
    await dialog.getByRole('combobox', { name: 'New parent group' }).selectOption('None: top level')
    await dialog.getByText('1 of 1 compared').waitFor()
    await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await parent()).toBe(null)
  })

  test('settings are narrowed to a category, and changed in their rows', async () => {
    const { page } = admin
    const path = '/api/settings/idle_timeout'
    const stored = async () => (await world.api.admin.get(path)).body.value
    await page.goto('/settings')
    await chooseInMenu(page, 'Category', 'Authentication')
    await page.waitForURL((url) => url.searchParams.get('search') === 'category = "Authentication"')
    await page.getByRole('gridcell', { name: 'Provisioning' }).first().waitFor({ state: 'detached' })
    const field = page.getByRole('textbox', { name: 'Idle timeout' })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    await press('Edit Idle timeout')
    await page.getByText('Default: 60').waitFor()
    await field.and(page.locator(':focus')).waitFor()
    await field.fill('soon')
    await press('Save')
    await page.getByText('This is not a number').waitFor()
    await field.fill('0')
    await press('Save')
    await page.getByText('a whole number from 1 to').waitFor()
    await expectAccessible(page, 'a refused setting')
    await world.api.admin.put(path, { setting: { value: 45 } })
    await page.reload()
    await field.fill('50')
    await world.api.admin.put(path, { setting: { value: 40 } })
    await press('Save')
    await page.getByText('Another user has saved 40.').waitFor()
    await press('Save')
    await field.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Idle timeout' }).and(page.locator(':focus')).waitFor()
    expect(await stored()).toBe(50)
    await press('Undo')
    await expect.poll(stored).toBe(40)
    await press('Edit Idle timeout')
    await press('Restore default')
    await field.waitFor({ state: 'detached' })
    expect(await stored()).toBe(60)
    await press('Edit Revoke tokens on password reset')
    const box = page.getByRole('checkbox', { name: 'Revoke tokens on password reset', exact: true })
    await box.press('Space')
    await press('Save')
    await box.waitFor({ state: 'detached' })
    expect((await world.api.admin.get('/api/settings/revoke_tokens_on_password_reset')).body.value).toBe(false)
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
    await page.getByText('This is not valid YAML.').waitFor()
    await value.fill('open:\n  - 1')
    await page.getByText('This is not valid YAML.').waitFor({ state: 'detached' })
    await value.press('Tab')
    expect(await isFocused(value), 'Tab is kept in the editor').toBe(false)
    await value.press('Control+Enter')
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
    await page.getByRole('heading', { level: 1, name: 'limits' }).waitFor()
    expect((await world.api.admin.get(`/api/common_parameters/${id}`)).body.value).toEqual({ open: [1] })
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
    await page.getByText('Access allowed').waitFor()
    const filters = page.getByRole('grid', { name: 'Filters' }).getByRole('row').filter({ hasText: 'Readers' })
    await filters.getByText('name ~ Gamma').waitFor()
    await expectAccessible(page, 'who may')
    const other = (await api.admin.get('/api/models?search=name+%3D+%22Delta+7%22')).body.results[0].id
    await page.goto(`/who_may?user=${reader.id}&kind=models&record=${other}&permission=view_models`)
    await page.getByText('Access denied').waitFor()
    await filters.getByText('No', { exact: true }).waitFor()
    await page.goto(`/roles/${id}`)
    await part(page, 'Permissions of the role').getByRole('link', { name: '1', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Gamma 7', exact: true }).waitFor()
    await page.goBack()
    await part(page, 'Permissions of the role').getByText('view_models').waitFor()
    await expectAccessible(page, 'role')
  })

  test('hosts that a search finds are run, and what failed first is said', async () => {
    const { page } = admin
    for (const name of ['fail-1', 'good-1', 'good-2']) await world.host(`${name}.many.test`)
    await page.goto('/hosts?search=name+~+many.test')
    await page.getByRole('checkbox', { name: 'Select good-1.many.test' }).press('Space')
    await page.getByRole('button', { name: '1 selected' }).waitFor()
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Run the configuration of these hosts' }).press('Enter')
    await part(page, 'Matching hosts').getByText('The search matches 1 hosts.').waitFor()
    expect(await page.locator('#field-search').inputValue()).toBe('name ^ (good-1.many.test)')
    await page.goBack() // without being asked: nothing was typed
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
    await page.getByRole('button', { name: 'Clear selection' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Run the configuration of these hosts' }).press('Enter')
    await part(page, 'Matching hosts').getByText('The search matches 3 hosts.').waitFor()
    expect(await page.locator('#field-search').inputValue()).toBe('name ~ many.test')
    await expectAccessible(page, 'a rollout to start')
    await page.locator('#field-search').press('Control+Enter')
    await part(page, 'Progress').getByText('3 of 3 runs have ended').waitFor()
    await part(page, 'Progress').getByText('finished', { exact: true }).waitFor()
    const failed = part(page, 'First failures').getByRole('row').filter({ hasText: 'fail-1.many.test' })
    await failed.getByText('3', { exact: true }).waitFor()
    const past = part(page, 'Recent rollouts').getByRole('list', { name: 'Recent rollouts' }).getByRole('link')
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
