import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { keyWorld } from '../../test/api/activation-key-world.ts'
import { ADMIN, basic, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import { given } from '../../test/support/given.ts'
import {
  chooseInMenu,
  chromium,
  confirmDeletion,
  expectAccessible,
  logIn,
  openBrowser,
  type Window,
} from './browser.ts'

// The handmade pages, on a service with a host that has something of everything.

const MARKUP = '<img src=x onerror=alert(1)>'
const NEW_PASSWORD = 'long enough'

describe.skipIf(!chromium)('pages made by hand', { timeout: 120_000 }, () => {
  let api: TestApi
  let address: string
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  const windows: Window[] = []

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    address = await api.listen()
    await storeHost(api)
    admin = await open()
    await admin.page.goto('/')
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

  async function openAs(permissions: readonly string[], path: string): Promise<Page> {
    const { login, id } = await api.can(permissions)
    expect((await api.admin.put(`/api/users/${id}`, { user: { password: NEW_PASSWORD } })).status).toBe(200)
    const { page } = await open()
    await page.goto(path)
    await logIn(page, login, NEW_PASSWORD)
    return page
  }

  const row = (page: Page, table: string, name: string) =>
    page.getByRole('grid', { name: table }).getByRole('row').filter({ hasText: name })

  test('each figure of the dashboard leads to the search that it counts', async () => {
    const { page } = admin
    await page.goto('/')
    await page.getByRole('region', { name: 'Hosts by environment' }).getByText('production').waitFor()
    await page.getByRole('region', { name: 'Reports, last 7 days' }).getByRole('link').first().waitFor()
    await page.getByRole('region', { name: 'Last changes' }).getByRole('link').first().waitFor()
    const failed = page.getByRole('region', { name: 'Failed since yesterday' })
    await failed.getByRole('link', { name: 'web1.lab.test' }).waitFor()
    expect(await page.getByRole('region', { name: 'Keys almost full or expiring' }).count()).toBe(0)
    await expectAccessible(page, 'dashboard')
    const errors = page.getByRole('link', { name: /^Error/ })
    expect(await errors.textContent()).toMatch(/1$/)
    await errors.press('Enter')
    await page.waitForURL(/\/hosts\?/)
    await page.getByRole('link', { name: 'web1.lab.test', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('global_status = error')
  })

  test('a dashboard without anything to show says so', async () => {
    const page = await openAs(['view_models'], '/')
    await page.getByRole('heading', { name: 'You have no access yet' }).waitFor()
    await expectAccessible(page, 'empty dashboard')
  })

  test('a host says where its values come from', async () => {
    const { page } = admin
    await page.goto('/hosts/web1.lab.test')
    await row(page, 'Overview', 'Environment').getByText('Host group web').waitFor()
    await row(page, 'Overview', 'Operating system').getByText('Set on the host', { exact: true }).waitFor()
    await row(page, 'Overview', 'Comment').getByText(MARKUP).waitFor()
    await page.getByRole('region', { name: 'Runs' }).getByText('Failed').first().waitFor()
    await page.getByText('Up for 1 day').waitFor()
    await page.getByRole('region', { name: 'Warnings' }).getByRole('link', { name: 'servers' }).first().waitFor()
    await expectAccessible(page, 'host')
    await page.getByRole('tab', { name: 'Parameters' }).press('Enter')
    await row(page, 'Parameters', 'tier').getByRole('link', { name: 'Host group web' }).waitFor()
    await row(page, 'Parameters', 'ntp').getByRole('link', { name: 'Global parameter' }).waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('parameters')
    await expectAccessible(page, 'parameters')
    await page.goBack()
    await row(page, 'Overview', 'Environment').waitFor()
  })

  test('each origin of a value is named, also above the group, the organization and the location of the host', async () => {
    const { admin: caller } = api
    const parameters = (name: string) => [{ name, value: 'x' }]
    const environment = await given(caller, 'environment', { name: 'lab' })
    const configclass_ids = [
      (await given(caller, 'configclass', { name: 'chrony', environment_ids: [environment.id] })).id,
    ]
    const packed = await given(caller, 'configclass', { name: 'sshd', environment_ids: [environment.id] })
    const set = await given(caller, 'config_group', { name: 'hardened', configclass_ids: [packed.id] })
    const links = { environment_id: environment.id, configclass_ids, config_group_ids: [set.id] }
    const tree = async (kind: string, list: string, more: object) => {
      const above = await given(caller, kind, { name: 'above', [list]: parameters(`of_${kind}`), ...more })
      return given(caller, kind, { name: 'below', parent_id: above.id })
    }
    const group = await tree('hostgroup', 'group_parameters_attributes', links)
    const organization = await tree('organization', 'organization_parameters_attributes', {})
    const location = await tree('location', 'location_parameters_attributes', {})
    const own = { organization_ids: [organization.id], location_ids: [location.id] }
    const domain = await given(caller, 'domain', {
      name: 'o.test',
      domain_parameters_attributes: parameters('d'),
      ...own,
    })
    const subnet = await given(caller, 'subnet', {
      ...{ name: 'six', network_type: 'IPv6', network: '2001:db8::', mask: 'ffff:ffff::', domain_ids: [domain.id] },
      ...{ subnet_parameters_attributes: parameters('s'), ...own },
    })
    const system = await given(caller, 'operatingsystem', {
      ...{ name: 'Rocky', major: '10', os_parameters_attributes: parameters('o') },
    })
    for (const [kind, { id }] of Object.entries({ hostgroup: group, environment })) {
      const path = `/api/${kind}s/${id}`
      expect((await caller.put(path, { [kind]: own })).status).toBe(200)
    }
    await given(caller, 'host', {
      ...{ name: 'origins.o.test', hostgroup_id: group.id, operatingsystem_id: system.id, domain_id: domain.id },
      ...{ subnet6_id: subnet.id, organization_id: organization.id, location_id: location.id },
    })
    const { page } = admin
    await page.goto(`/hosts/origins.o.test?organization_id=${organization.id}`)
    await row(page, 'Overview', 'Environment').getByRole('link', { name: 'Host group above', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Parameters' }).press('Enter')
    for (const [name, origin] of [
      ['of_hostgroup', 'Host group above'],
      ['of_organization', 'Organization above'],
      ['of_location', 'Location above'],
      ['d', 'Domain o.test'],
      ['s', 'Subnet six'],
      ['o', 'Operating system Rocky 10'],
      ['ntp', 'Global parameter'],
    ] as const) {
      const found = page.getByRole('grid', { name: 'Parameters' }).getByRole('row')
      const own = found.filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      await own.getByRole('link', { name: origin, exact: true }).waitFor()
    }
    await page.getByRole('tab', { name: 'Classes' }).press('Enter')
    await page.getByRole('region', { name: 'chrony' }).getByRole('link', { name: 'Host group above' }).waitFor()
    await page
      .getByRole('region', { name: 'sshd' })
      .getByRole('link', { name: /hardened$/ })
      .waitFor()
  })

  test('the history names what changes refer to, also what is gone since', async () => {
    const { admin: caller } = api
    const gone = await given(caller, 'environment', { name: 'gone' })
    const change = async (host: object) =>
      expect((await caller.put('/api/hosts/origins.o.test', { host })).status).toBe(200)
    const { body: before } = await caller.get('/api/hosts/origins.o.test')
    await change({ environment_id: gone.id, configclass_ids: [] })
    await change({ environment_id: before.environment_id })
    expect((await caller.delete(`/api/environments/${gone.id}`)).status).toBe(200)
    const { page } = admin
    await page.goto('/hosts/origins.o.test?tab=history')
    const changes = page.getByRole('grid', { name: 'History' })
    await changes.locator('del', { hasText: /^gone$/ }).waitFor()
    await changes.locator('ins', { hasText: /^lab$/ }).first().waitFor()
    await changes
      .getByRole('button', { name: /^Values/ })
      .last()
      .press('Enter')
    for (const name of ['above/below', 'Rocky 10', 'Admin User']) await changes.getByText(name).first().waitFor()
    const cells = await changes.getByRole('row').allInnerTexts()
    expect(
      cells.filter((text) => /Id\t|(?:Organization|Location|Host group|Environment)\t\d*\t?\d+$/.test(text)),
    ).toEqual([])
  })

  test('a value of a class says who won, and why', async () => {
    const { page } = admin
    await page.goto('/hosts/web1.lab.test?tab=classes')
    await page.getByRole('button', { name: /^servers/ }).press('Enter')
    const candidates = (name: string) => row(page, 'Candidates for servers', name)
    await candidates('fqdn=web1.lab.test').getByText('applied', { exact: true }).waitFor()
    await candidates('hostgroup=web').getByText('outranked', { exact: true }).waitFor()
    await candidates('Default').getByText('pool.lab.test').waitFor()
    await expectAccessible(page, 'classes')
  })

  test.each([
    ['interfaces', '52:54:00:00:00:01'],
    ['facts', 'Linux'],
    ['runs', 'All (1)'],
    ['content', 'This host is not registered'],
    ['history', 'updated: Comment'],
  ])('the part %s of a host can be used by everybody', async (tab, text) => {
    const { page } = admin
    await page.goto(`/hosts/web1.lab.test?tab=${tab}`)
    await page.getByRole('tabpanel').getByText(text).first().waitFor()
    await expectAccessible(page, tab)
  })

  test('facts are searched, and lead to the hosts that say the same', async () => {
    const { page } = admin
    await page.goto('/hosts/web1.lab.test?tab=facts')
    await page.getByRole('combobox', { name: 'Search Facts' }).fill('fact = kernel')
    await page.keyboard.press('Enter')
    await page.getByText('memory', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Hosts with kernel = Linux' }).click()
    await page.waitForURL(/\/hosts\?/)
    await page.getByRole('link', { name: 'web1.lab.test', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('"facts.kernel" = "Linux"')
  })

  test('a directory is tried before it is saved, and says what to do', async () => {
    const { page } = admin
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // a TCP server
    await new Promise((resolve) => server.close(resolve))
    await page.goto('/auth_source_ldaps/new')
    await page.locator('#field-host').fill('127.0.0.1')
    await page.locator('#field-port').fill(String(port))
    await page.getByRole('button', { name: 'Test these values' }).press('Enter')
    await page.getByText('Nobody can log in with these values').waitFor()
    const steps = page.getByRole('region', { name: 'Test connection' }).getByRole('listitem')
    await steps.filter({ hasText: 'Find the server' }).getByText('Passed').waitFor()
    await steps.filter({ hasText: 'Connect' }).getByText('Check the port').waitFor()
    await steps.filter({ hasText: 'Encrypt' }).getByText('Not tried', { exact: true }).waitFor()
    await expectAccessible(page, 'failed trial')
    await page.locator('#field-port').fill('70000')
    await page.getByText('Values have changed since this test').waitFor()
    await page.getByRole('button', { name: 'Test again' }).press('Enter')
    await page.locator('#field-port-help').getByText('must be less than or equal to 65535').waitFor()
    await page.locator('#field-port').fill(String(port))
    await page.locator('#field-name').fill('Laboratory')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Laboratory' }).waitFor()
    await page.goto('/')
    await page.getByRole('region', { name: 'Last changes' }).getByText('Laboratory').first().waitFor()
    const ill = page.getByRole('region', { name: 'Needs attention' })
    expect(await ill.count()).toBe(0)
    await page.goto('/auth_source_ldaps')
    await page.getByText('Not used lately', { exact: true }).waitFor()
    const { body: laboratory } = await api.admin.get('/api/auth_source_ldaps/Laboratory')
    await given(api.admin, 'user', { login: 'laboratory', auth_source_id: laboratory.id })
    expect((await api.as({ authorization: basic('laboratory', 'a password') }).get('/api')).status).toBe(401)
    await page.goto('/auth_source_ldaps')
    await page.getByTitle('refuses the connection').getByText('Failing since').waitFor()
    await expectAccessible(page, 'list of directories')
    await page.goto('/')
    await ill.getByText('The server refuses the connection').waitFor()
    await ill.getByRole('link', { name: 'Laboratory' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Laboratory' }).waitFor()
  })

  test('a key shows its places, registers hosts, and brings back those that differ', async () => {
    const { page } = admin
    const world = await keyWorld(api)
    const key = await world.key({ max_hosts: 1, unlimited_hosts: false, service_level: 'Standard' })
    const host = await world.registered(key)
    const sent = { organization_id: world.organization.id, service_level: 'Premium' }
    const changed = await api.admin.put(`/content/api/activation_keys/${key.id}`, sent)
    expect(changed.status).toBe(204)
    await page.goto(`/activation_keys/${key.id}?organization_id=${world.organization.id}`)
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    await part('Usage').getByText('1 of 1 hosts').waitFor()
    await part('Drifted hosts').getByRole('link', { name: host.name }).waitFor()
    await part('Register a host').getByRole('button', { name: 'Generate command' }).press('Enter')
    const command = part('Register a host').getByRole('textbox', { name: 'Command' })
    expect(await command.inputValue()).toContain(`activation_keys=${key.name}`)
    await part('Register a host').getByRole('button', { name: 'Copy' }).waitFor()
    await expectAccessible(page, 'key')
    await part('Drifted hosts').getByRole('button', { name: 'Re-apply key' }).press('Enter')
    // Notices disappear by themselves, so that the test has to wait for one before it appears.
    await Promise.all([
      page.getByText('The key is being re-applied').waitFor(),
      part('Drifted hosts').getByRole('button', { name: 'Yes, re-apply' }).press('Enter'),
    ])
    await api.finishTasks()
    await page.reload()
    await part('Drifted hosts').getByText('No host has drifted').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'admin', exact: true }).waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/\{"|Permissions|User \d/)
  })

  test('reports and groups show words and numbers, and a group says what goes with it', async () => {
    const { page } = admin
    await page.goto('/config_reports')
    const report = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'web1.lab.test' }) })
    await report.getByText('Failed 1', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: /^Create/ }).count()).toBe(0)
    const group = (await api.admin.get('/api/hostgroups/web')).body
    await page.goto(`/hostgroups/${group.id}`)
    await page.getByRole('link', { name: /^Hosts in this group: \d+$/ }).waitFor()
    const classes = page.getByRole('region', { name: 'Classes', exact: true })
    await classes.getByRole('link', { name: 'ntp', exact: true }).waitFor()
    const labels = await page.locator('main dt').allInnerTexts()
    expect(labels.filter((label) => /Ancestry|Inherited|attributes/i.test(label))).toEqual([])
    expect(labels.toSorted()).toEqual([...new Set(labels)].toSorted())
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Delete/ })
        .count(),
    ).toBe(0)
    await chooseInMenu(page, 'More actions', 'Delete')
    await page
      .getByRole('dialog')
      .getByText(/Hosts that lose this group: \d+/)
      .waitFor()
  })

  test('a new record is one line of the history, its fields have the words of people, and no id is a heading', async () => {
    const { page } = admin
    const { id } = await given(api.admin, 'auth_source_ldap', { name: 'Named' })
    await page.goto('/history')
    const made = row(page, 'History', 'Named').filter({ hasText: 'created' })
    await made.first().waitFor()
    expect(await made.count()).toBe(1)
    await made.getByRole('button', { name: /^Values: \d+$/ }).press('Enter')
    await row(page, 'History', 'created: Type').getByText('Directory', { exact: true }).waitFor()
    await expectAccessible(page, 'the values of a new record')

    const released = Promise.withResolvers<void>()
    await page.route(`**/api/auth_source_ldaps/${id}*`, async (route) => {
      await released.promise
      await route.continue()
    })
    for (const path of ['', '/edit']) {
      await page.goto(`/auth_source_ldaps/${id}${path}`)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^(?:Edit )?.?Directory.?$/)
    }
    released.resolve()
    await page.getByRole('heading', { level: 1, name: /Named/ }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('the history says of how many changes it shows some, also where that is an estimate', async () => {
    const { page } = admin
    const bottom = page.getByRole('main').locator('.pf-v6-c-pagination')
    await page.goto('/history?kind=host')
    await bottom.getByText(/^1 - \d+ of \d+$/).waitFor()
    // A page that is full has to be counted, which nobody can while this table is locked.
    await api.database.db.transaction(async (tx) => {
      await sql`lock table event_queue in access exclusive mode`.execute(tx)
      await page.goto('/history?action=create&per_page=1')
      await bottom.getByText(/^1 - 1 of about \d+$/).waitFor()
    })
  })

  test('a table stays where it is when a row is selected, a list closes behind its choice, and a telephone shows several hosts', async () => {
    const { page } = admin
    const usual = page.viewportSize() ?? { width: 1280, height: 720 }
    await given(api.admin, 'host', { name: 'another.lab.test' })
    await page.goto('/hosts')
    const table = page.getByRole('grid', { name: 'Table of Hosts' })
    await page.getByRole('link', { name: 'web1.lab.test', exact: true }).waitFor()
    const before = await table.boundingBox()
    await page.getByRole('checkbox', { name: 'Select web1.lab.test' }).press('Space')
    await page.getByRole('button', { name: '1 selected', exact: true }).waitFor()
    expect((await table.boundingBox())?.y).toBe(before?.y)
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Delete/ })
        .count(),
    ).toBe(0)
    const address = await table.getByRole('columnheader', { name: 'IP address' }).boundingBox()
    const menu = await table.locator('.mw-menu-head').boundingBox()
    // The menu of a row is in sight where the table is wider than the window, for the mouse and for keys.
    await page.setViewportSize({ width: 800, height: 720 })
    const menuOfRow = page.getByRole('button', { name: 'Menu of another.lab.test' })
    const isInSight = () => menuOfRow.evaluate((one) => one.getBoundingClientRect().right <= window.innerWidth)
    expect(await isInSight()).toBe(false)
    await page.getByRole('link', { name: 'another.lab.test', exact: true }).hover()
    expect(await isInSight()).toBe(true)
    await page.mouse.move(0, 0)
    await page.getByRole('link', { name: 'another.lab.test', exact: true }).focus()
    expect(await isInSight()).toBe(true)
    await page.setViewportSize(usual)
    await page.goto('/users/new')
    await page.locator('#field-role_ids').fill('Viewer')
    await page.getByRole('option', { name: 'Viewer', exact: true }).click()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect((address?.x ?? 0) + (address?.width ?? 0)).toBeLessThanOrEqual(menu?.x ?? 0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/hosts')
    const rows = table.locator('tbody > tr')
    await rows.nth(1).waitFor()
    expect((await page.locator('header').first().boundingBox())?.height).toBeLessThanOrEqual(80)
    const second = await rows.nth(1).boundingBox()
    const pages = await page.locator('.pf-v6-c-pagination.pf-m-bottom').boundingBox()
    expect((second?.y ?? 844) + (second?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? 0)
    await page.setViewportSize(usual)
  })

  test('what has a button on a page is found in the palette, and does there what the button does', async () => {
    const { page } = admin
    const choose = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
      await page.keyboard.type(text)
      await page.locator('button[aria-current=true]', { hasText: text }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.goto('/hosts/web1.lab.test')
    await page.getByRole('heading', { level: 1, name: 'web1.lab.test' }).waitFor()
    await page.getByRole('button', { name: 'More actions', exact: true }).waitFor()
    await choose('Delete')
    await page.getByRole('dialog').getByText('Delete web1.lab.test?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await choose('Edit')
    await page.waitForURL(/\/hosts\/[^/]+\/edit/)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Create token' }).waitFor()
    await choose('Create token')
    await page.getByRole('region', { name: 'Access tokens' }).getByText("can't be blank").waitFor()
  })

  test('a token is told once, and taken back', async () => {
    const { page } = admin
    await page.goto('/')
    await page.getByRole('button', { name: 'admin: User menu' }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    const tokens = page.getByRole('region', { name: 'Access tokens' })
    await tokens.getByText('No tokens yet').waitFor()
    await expectAccessible(page, 'account')
    await tokens.getByRole('textbox', { name: 'Name' }).press('Enter')
    await tokens.getByText("can't be blank").waitFor()
    await tokens.getByRole('textbox', { name: 'Name' }).fill(MARKUP)
    await tokens.getByLabel('Expires').fill('2099-12-31')
    await tokens.getByRole('button', { name: 'Create token' }).press('Enter')
    const value = await tokens.getByRole('textbox', { name: 'Value of the token' }).inputValue()
    const authorization = `Basic ${Buffer.from(`${ADMIN.login}:${value}`).toString('base64')}`
    expect((await api.as({ authorization }).get('/api/current_user')).body.login).toBe(ADMIN.login)
    await expectAccessible(page, 'new token')
    // Without TLS a page has no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
    await tokens.getByRole('button', { name: 'Copy' }).press('Enter')
    await page.getByRole('tooltip', { name: 'Copied' }).waitFor()
    await tokens.getByRole('textbox', { name: 'Name' }).fill('')
    await tokens.getByRole('textbox', { name: 'Name' }).press('Control+v')
    expect(await tokens.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(value)
    await page.evaluate(() => Object.defineProperty(document, 'execCommand', { value: () => false }))
    await tokens.getByRole('button', { name: 'Copy' }).press('Enter')
    await page.getByText('It could not be copied. Select it and press Ctrl+C.').waitFor()
    await tokens.getByRole('button', { name: `Revoke ${MARKUP}` }).press('Enter')
    await tokens.getByText('Revoked', { exact: true }).waitFor()
    expect((await api.as({ authorization }).get('/api/current_user')).status).toBe(401)
  })

  test('sessions say where somebody is logged in, and are ended from afar', async () => {
    const { id } = await api.can(['view_models'])
    expect((await api.admin.put(`/api/users/${id}`, { user: { password: NEW_PASSWORD } })).status).toBe(200)
    const { login } = (await api.admin.get(`/api/users/${id}`)).body
    const pages: Page[] = []
    for (const userAgent of ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', MARKUP, undefined]) {
      const { page } = await open(userAgent === undefined ? {} : { userAgent })
      await page.goto('/account')
      await logIn(page, login, NEW_PASSWORD)
      pages.push(page)
    }
    const [far, hostile, here] = pages as [Page, Page, Page]
    const sessions = here.getByRole('region', { name: 'Sessions' })
    await row(here, 'Sessions', 'Chrome').getByText('This one').waitFor()
    await row(here, 'Sessions', MARKUP).getByText('127.0.0.1').waitFor()
    await expectAccessible(here, 'sessions')
    expect(await sessions.getByRole('button', { name: /^End: / }).count()).toBe(2)
    await sessions.getByRole('button', { name: /^End: Firefox 140, Linux/ }).press('Enter')
    await row(here, 'Sessions', 'Firefox').waitFor({ state: 'detached' })
    await far.goto('/account')
    await far.getByLabel('Password').waitFor()
    await sessions.getByRole('button', { name: 'End all others' }).press('Enter')
    await row(here, 'Sessions', MARKUP).waitFor({ state: 'detached' })
    await hostile.goto('/account')
    await hostile.getByLabel('Password').waitFor()
    await here.reload()
    await row(here, 'Sessions', 'Chrome').getByText('This one').waitFor()
  })

  test('the list of hosts says which are broken and why, and a choice is written into the search', async () => {
    const { page } = admin
    await page.goto('/hosts')
    const cells = () => row(page, 'Table of Hosts', 'web1.lab.test').getByRole('gridcell').allTextContents()
    const heads = page.getByRole('grid', { name: 'Table of Hosts' }).getByRole('columnheader')
    await page.getByRole('link', { name: 'web1.lab.test', exact: true }).waitFor()
    const names = (await heads.allTextContents()).filter((text) => text !== '')
    const [first, second, ...rest] = ['Status', 'Name', 'Operating system', 'Host group', 'Environment', 'Owner']
    expect(names.slice(0, 8)).toEqual([first, second, ...rest, 'Last report', 'IP address'])
    const shown = (await cells()).join('|')
    expect(shown).toContain('Error: Failed changes in last run')
    expect(shown).toMatch(/\|Debian 12\|web\|production\|[^|]+\|(?:this|\d+) min(?:ute|\.)(?: ago)?\|/)
    // The second choice may come before the first one is shown.
    await chooseInMenu(page, 'Status', /^Error/)
    await chooseInMenu(page, 'Host group', 'web')
    const both = 'global_status = error and hostgroup_title = "web"'
    await page.waitForURL((url) => url.searchParams.get('search') === both)
    await page.locator(`[role=combobox][value='${both}']`).waitFor()
    await page.getByRole('link', { name: 'web1.lab.test', exact: true }).waitFor()
    await chooseInMenu(page, 'Status', /^OK/)
    await page.waitForURL((url) => url.searchParams.get('search') === 'hostgroup_title = "web" and global_status = ok')
    await page.goto('/hosts')
    await page.getByRole('button', { name: 'Menu of web1.lab.test' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Clone' }).waitFor()
    await expectAccessible(page, 'the menu of a row')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    const { page: german } = await open({ locale: 'de-DE' })
    await german.goto('/hosts/web1.lab.test')
    await logIn(german, ADMIN.login, ADMIN.password)
    await german.getByText('Fehler: Fehlgeschlagene Änderungen im letzten Lauf').waitFor()
    await german.context().close()
  })

  test('a host like another one is a click and a name away', async () => {
    const { page } = admin
    await page.goto('/hosts/web1.lab.test')
    await page.getByRole('button', { name: 'Clone', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Remove web', exact: true }).waitFor()
    expect(await page.locator('#field-mac').inputValue()).toBe('')
    await page.locator('#field-name').fill('web2.lab.test')
    await expectAccessible(page, 'a clone')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'web2.lab.test' }).waitFor()
    const { body } = await api.admin.get('/api/hosts/web2.lab.test')
    const same = { hostgroup_title: 'web', operatingsystem_name: 'Debian 12', environment_name: 'production' }
    expect(body).toMatchObject({ ...same, comment: MARKUP, mac: null, managed: false })

    // The service clones what is more than a form, such as a group with its parameters.
    const group = (await api.admin.get('/api/hostgroups/web')).body
    await page.goto(`/hostgroups/${group.id}`)
    await chooseInMenu(page, 'More actions', 'Clone')
    await page.locator('#clone-name').fill('web copy')
    await expectAccessible(page, 'the name of a clone')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'web copy' }).waitFor()
    const copy = (await api.admin.get('/api/hostgroups/web%20copy')).body
    expect(copy.parameters).toMatchObject([{ name: 'tier', value: 'front' }])
  })

  test('a change is undone at once, later from the history, and for many hosts together', async () => {
    const { page } = admin
    const environment = await given(api.admin, 'environment', { name: 'other' })
    for (const name of ['undo1.lab.test', 'undo2.lab.test'])
      await given(api.admin, 'host', { name, managed: false, comment: 'first' })
    const comment = async () => (await api.admin.get('/api/hosts/undo1.lab.test')).body.comment
    const change = async (text: string) => {
      await page.goto('/hosts/undo1.lab.test/edit')
      await page.locator('#field-comment').fill(text)
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
      await page.getByText('undo1.lab.test is saved').waitFor()
      expect(await comment()).toBe(text)
    }
    await change('second')
    // A new page takes the focus, but not from a notice.
    await page.getByRole('button', { name: 'Undo', exact: true }).focus()
    await page.getByRole('tab', { name: 'History' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The earlier values are back').waitFor()
    expect(await comment()).toBe('first')

    await change('third')
    await page.getByRole('tab', { name: 'History' }).press('Enter')
    await page
      .getByRole('button', { name: /^Put back: undo1/ })
      .first()
      .press('Enter')
    await page.getByRole('dialog').getByRole('row').filter({ hasText: 'third' }).getByText('first').waitFor()
    await expectAccessible(page, 'a change to put back')
    await page.getByRole('dialog').getByRole('button', { name: 'Put back', exact: true }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await comment()).toBe('first')

    // The slider goes through the versions, from the newest back, once the last one is there.
    await page.locator('.mw-timeline input[max="4"]').waitFor()
    const slider = page.getByRole('slider', { name: 'Move the slider' })
    await slider.press('ArrowLeft')
    await page.locator('.mw-timeline').getByText('third', { exact: true }).waitFor()
    await page
      .locator('.mw-timeline')
      .getByText(/^Version 4: .*updated by admin$/)
      .waitFor()
    await expectAccessible(page, 'a record as it was')
    await page.getByRole('slider').press('Home')
    await page.locator('.mw-timeline').getByText('first', { exact: true }).waitFor()

    // What was changed later is refused, with both values.
    await change('fourth')
    await page.getByRole('tab', { name: 'History' }).press('Enter')
    await page
      .getByRole('button', { name: /^Put back: undo1/ })
      .nth(1)
      .press('Enter')
    await page.getByRole('dialog').getByText('was changed later: it is "fourth" now').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')

    await page.goto('/hosts?search=name+~+undo&selected=all')
    await chooseInMenu(page, '2 selected', 'Change the environment')
    await page.locator('#field-environment_id').fill('other')
    await page.getByRole('option', { name: 'other', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 change, 0 have this value already.').waitFor()
    await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    await dialog.getByText('2 changed, 0 refused').waitFor()
    const moved = async () => (await api.admin.get(`/api/hosts?environment_id=${environment.id}`)).body.subtotal
    expect(await moved()).toBe(2)
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
    await page.getByText('2 restored, 0 refused').waitFor()
    expect(await moved()).toBe(0)

    // What cannot be undone asks for its name.
    await page.goto('/hosts/undo2.lab.test')
    await chooseInMenu(page, 'More actions', 'Delete')
    await confirmDeletion(page, 'undo2.lab.test')
    await page.getByText('undo2.lab.test is deleted').waitFor()
  })

  test('a host that is not there, and one that may not be seen', async () => {
    await admin.page.goto('/hosts/nowhere.lab.test')
    await admin.page.getByRole('heading', { name: 'Record not found.' }).waitFor()
    await expectAccessible(admin.page, 'missing host')
    const page = await openAs(['view_models'], '/hosts/web1.lab.test')
    await page.getByText('You need one of these permissions: view_hosts.').waitFor()
    await expectAccessible(page, 'forbidden host')
  })
})

/** Creates a host with a group, an operating system of its own, parameters, a class with overrides, facts and a report. */
async function storeHost(api: TestApi): Promise<void> {
  const { admin } = api
  const environment = await expectCreated(admin.post('/api/environments', { environment: { name: 'production' } }))
  const system = await expectCreated(
    admin.post('/api/operatingsystems', { operatingsystem: { name: 'Debian', major: '12' } }),
  )
  await expectCreated(
    admin.post('/api/common_parameters', { common_parameter: { name: 'ntp', value: 'ntp.lab.test' } }),
  )
  const configclass = await expectCreated(
    admin.post('/api/configclasses', { configclass: { name: 'ntp', environment_ids: [environment.id] } }),
  )
  const group = await expectCreated(
    admin.post('/api/hostgroups', {
      hostgroup: {
        name: 'web',
        environment_id: environment.id,
        configclass_ids: [configclass.id],
        group_parameters_attributes: [{ name: 'tier', value: 'front' }],
      },
    }),
  )
  await expectCreated(
    admin.post('/api/hosts', {
      host: {
        name: 'web1.lab.test',
        managed: false,
        hostgroup_id: group.id,
        operatingsystem_id: system.id,
        mac: '52:54:00:00:00:01',
      },
    }),
  )
  expect((await admin.put('/api/hosts/web1.lab.test', { host: { comment: MARKUP } })).status).toBe(200)
  const parameter = await importedParameter(api, {
    configclass: configclass as { id: number },
    parameter: 'servers',
    default_value: '"pool.lab.test"',
    columns: { override: true },
  })
  for (const match of ['hostgroup=web', 'fqdn=web1.lab.test']) {
    const override_value = { match, value: `of ${match}` }
    await expectCreated(admin.post(`/api/smart_class_parameters/${parameter.id}/override_values`, { override_value }))
  }
  await admin.post('/api/hosts/facts', {
    name: 'web1.lab.test',
    facts: { kernel: 'Linux', memory: '4 GB', 'system_uptime::seconds': '90000' },
  })
  const status = { applied: 0, restarted: 0, failed: 1, failed_restarts: 0, skipped: 0, pending: 0 }
  const reported_at = new Date().toISOString()
  await expectCreated(
    admin.post('/api/config_reports', {
      config_report: { host: 'web1.lab.test', reported_at, status, metrics: {}, logs: [] },
    }),
  )
}
