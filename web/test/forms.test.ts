import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { given } from '../../test/support/given.ts'
import { chooseInMenu, chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// What forms are made of: each value is asked for as people know it, and begins as the API would have it.

describe.skipIf(!chromium)('forms', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  let address = ''

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    address = await api.listen()
    admin = await browser.open(address)
    await admin.page.goto('/')
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const field = (page: Page, key: string) => page.locator(`#field-${key}`)
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  const choose = async (page: Page, key: string, name: string) => {
    await field(page, key).fill(name)
    await page.getByRole('option', { name, exact: true }).click()
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
  }

  test('the owner of a host is chosen by name among users or groups, and its IPv6 subnet among subnets', async () => {
    const { page } = admin
    await given(api.admin, 'usergroup', { name: 'Night shift' })
    await given(api.admin, 'user', { login: 'owning' })
    const subnet = { name: 'Six', network_type: 'IPv6', network: '2001:db8::', mask: 'ffff:ffff:ffff:ffff::' }
    const { id: subnet6_id } = await given(api.admin, 'subnet', subnet)
    const { id } = await given(api.admin, 'host', { name: 'owned.lab.test' })
    const stored = async () => (await api.admin.get(`/api/hosts/${id}`)).body
    await page.goto('/hosts/owned.lab.test/edit')
    await field(page, 'owner_type').selectOption({ label: 'User group' })
    await choose(page, 'owner_id', 'Night shift')
    await choose(page, 'subnet6_id', 'Six')
    await expectAccessible(page, 'choosing an owner')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'owned.lab.test', exact: true }).waitFor()
    expect(await stored()).toMatchObject({ owner_type: 'Usergroup', owner_name: 'Night shift', subnet6_id })
    await page.goto('/hosts/owned.lab.test/edit')
    await page.getByRole('button', { name: 'Remove Night shift' }).waitFor()
    await page.getByRole('button', { name: 'Remove Six' }).waitFor()
    await field(page, 'owner_type').selectOption({ label: 'User' })
    await page.getByRole('button', { name: 'Remove Night shift' }).waitFor({ state: 'detached' })
    await choose(page, 'owner_id', 'owning')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'owned.lab.test', exact: true }).waitFor()
    expect(await stored()).toMatchObject({ owner_type: 'User', owner_name: 'owning', subnet6_id })
  })

  test('a kind without an owner is refused at the owner', async () => {
    const { page } = admin
    await given(api.admin, 'host', { name: 'kind.lab.test' })
    await page.goto('/hosts/kind.lab.test/edit')
    await field(page, 'owner_type').selectOption({ label: 'User group' })
    await save(page)
    const group = page.locator('[data-field=owner_id]')
    await group.getByText('If owner type is specified, owner must be specified too.').waitFor()
  })

  test('what a host inherits is shown with its group, set, inherited again, and previewed, and sections count their errors', async () => {
    const { page } = admin
    const { id: environment_id } = await given(api.admin, 'environment', { name: 'calm' })
    await given(api.admin, 'environment', { name: 'wild' })
    const { id: architecture_id } = await given(api.admin, 'architecture', { name: 'sparc' })
    const group = await given(api.admin, 'hostgroup', { name: 'Givers', architecture_id })
    await given(api.admin, 'hostgroup', {
      ...{ name: 'Takers', parent_id: group.id, environment_id },
      group_parameters_attributes: [{ name: 'tier', value: 'front' }],
    })
    await page.goto('/hosts/new')
    await field(page, 'hostgroup_id').fill('Takers')
    await page.getByRole('option', { name: 'Givers/Takers', exact: true }).click()
    await page.locator('[data-field=architecture_id]').getByText('sparcInherited from Host group Givers').waitFor()
    await page.getByRole('button', { name: 'Set here: Environment' }).press('Enter')
    await page.locator('#field-environment_id:focus').waitFor()
    await choose(page, 'environment_id', 'wild')
    await page.getByRole('button', { name: 'Set here: tier' }).press('Enter')
    await page.locator('[data-field=host_parameters_attributes] [data-cell=value] textarea').fill('back')
    await save(page)
    const contents = page.getByRole('navigation', { name: 'Sections of the form' })
    await contents.getByRole('listitem').filter({ hasText: 'Identity and place' }).getByText('Errors: 1').waitFor()
    await contents.getByRole('button', { name: 'Content', exact: true }).press('Enter')
    await page.locator('#section-host-content:focus').waitFor()
    const button = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => button.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    await field(page, 'name').fill('heir.lab.test')
    await page.getByRole('button', { name: 'Preview ENC output' }).press('Enter')
    await page.locator('.mw-output').getByText('"environment": "wild"').waitFor()
    await page.locator('.mw-output').getByText('"tier": "back"').waitFor()
    await expectAccessible(page, 'a host before it is saved')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'heir.lab.test' }).waitFor()
    const stored = async () => (await api.admin.get('/api/hosts/heir.lab.test')).body
    expect(await stored()).toMatchObject({ architecture_id, environment_name: 'wild', parameters: [{ value: 'back' }] })
    await page.goto('/hosts/heir.lab.test/edit')
    await page.getByRole('button', { name: 'Inherit again: Environment' }).press('Enter')
    await save(page)
    await expect.poll(stored).toMatchObject({ environment_id })
  })

  test('one of 300 host groups is found in the tree and in the form of a host', async () => {
    const { page } = admin
    const operations = Array.from({ length: 300 }, (_, place) => {
      return { method: 'POST', path: '/api/hostgroups', body: { hostgroup: { name: `Level ${place}` } } }
    })
    expect((await api.admin.post('/api/batch', { operations })).status).toBe(200)
    await page.goto('/hostgroup_tree')
    const rows = page.getByRole('grid', { name: 'Tree of host groups' }).locator('tbody > tr')
    await page.getByRole('link', { name: 'Level 0', exact: true }).waitFor()
    expect(await rows.count()).toBeLessThan(200)
    await page.getByRole('textbox', { name: 'Find Host groups' }).fill('Level 299')
    await page.getByRole('link', { name: 'Level 299', exact: true }).waitFor()
    expect(await rows.count()).toBe(1)
    await page.goto('/hosts/new')
    await choose(page, 'hostgroup_id', 'Level 298')
  })

  test('a new record begins with the numbers, choices and texts that the API would give it', async () => {
    const { page } = admin
    await page.goto('/subnets/new')
    await field(page, 'name').waitFor()
    const shown = (keys: readonly string[]) => Promise.all(keys.map((key) => field(page, key).inputValue()))
    expect(await shown(['network_type', 'mtu', 'ipam', 'boot_mode'])).toEqual(['IPv4', '1500', 'None', 'DHCP'])
    await field(page, 'name').fill('Begun')
    await field(page, 'network').fill('198.51.100.0')
    await field(page, 'mask').fill('255.255.255.0')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'Begun' }).waitFor()
    const { body } = await api.admin.get('/api/subnets?search=name+%3D+Begun')
    expect(body.results).toMatchObject([{ mtu: 1500, ipam: 'None', boot_mode: 'DHCP', network_type: 'IPv4' }])
    await page.goto('/auth_source_ldaps/new')
    await field(page, 'name').waitFor()
    const ldap = ['port', 'server_type', 'attr_login', 'attr_firstname', 'attr_lastname', 'attr_mail', 'attr_photo']
    expect(await shown(ldap)).toEqual(['389', 'posix', 'uid', 'givenName', 'sn', 'mail', 'jpegPhoto'])
    await page.goto('/config_rollouts/new')
    await field(page, 'search').waitFor()
    expect(await shown(['parallel'])).toEqual(['10'])
    await given(api.admin, 'auth_source_ldap', { name: 'Another source' })
    const { id } = await given(api.admin, 'organization', { name: 'Chosen' })
    await page.goto(`/users/new?organization_id=${id}`)
    await page.locator('[data-field=auth_source_id]').getByRole('button', { name: 'Remove Internal' }).waitFor()
  })

  test('before it is saved, a filter names who would lose, and a user group and a role say that nobody does', async () => {
    const { page } = admin
    const role = await given(api.admin, 'role', { name: 'watchers' })
    const sent = { role_id: role.id, permission_names: ['view_hosts'] }
    const { id: filter } = await expectCreated(api.admin.post('/api/filters', { filter: sent }))
    const user = await given(api.admin, 'user', { login: 'ada' })
    const group = await given(api.admin, 'usergroup', { name: 'night', user_ids: [user.id], role_ids: [role.id] })
    const shown = page.getByRole('region', { name: 'Who gains, who loses' })
    const show = () => page.getByRole('button', { name: 'Show the effect' }).press('Enter')
    await page.goto(`/filters/${filter}/edit`)
    await field(page, 'search').fill('name = web.example.test')
    await show()
    await shown.getByRole('region', { name: 'Losses' }).getByText('1 user (ada)').waitFor()
    await expectAccessible(page, 'the effect of a filter')
    await field(page, 'search').fill('name = db.example.test')
    await shown.getByText('You have changed the form since').waitFor()
    expect((await api.admin.get(`/api/filters/${filter}`)).body.search).toBeNull()
    for (const path of [`/usergroups/${group.id}/edit`, `/roles/${role.id}/edit`]) {
      await page.goto(path)
      await show()
      await shown.getByText('Nobody gains or loses anything.').waitFor()
    }
  })

  test('a yes or no is a switch, also where its name speaks of a password', async () => {
    const { page } = admin
    await page.goto('/compute_resources/new')
    await page.getByRole('checkbox', { name: 'Set console password' }).waitFor()
  })

  test.each([
    { language: 'en', button: 'More actions', one: 'Delete last.lab.test?', many: 'Delete 2 records?', menu: 'Delete' },
    {
      language: 'de',
      button: 'Weitere Aktionen',
      one: 'last.lab.test löschen?',
      many: '2 Datensätze löschen?',
      menu: 'Löschen',
    },
  ])(
    'who deletes is asked about one record by its name, and about several by their number ($language)',
    async (words) => {
      await using own = await browser.open(address, { locale: words.language }).then(closing)
      const { page } = own
      const { id } = await given(api.admin, 'host', { name: 'last.lab.test' })
      const { id: other } = await given(api.admin, 'host', { name: 'later.lab.test' })
      await page.goto('/hosts/last.lab.test')
      await logIn(page, ADMIN.login, ADMIN.password)
      await chooseInMenu(page, words.button, words.menu)
      await page.getByRole('dialog', { name: words.one }).waitFor()
      for (const [selected, title] of [
        [`${id}`, words.one],
        [`${id}.${other}`, words.many],
      ] as const) {
        await page.goto(`/hosts?selected=${selected}`)
        await chooseInMenu(page, /^\d (?:selected|ausgewählt)$/, new RegExp(`^${words.menu} \\(\\d\\)$`))
        await page.getByRole('dialog', { name: title }).waitFor()
      }
      for (const one of [id, other]) await api.admin.delete(`/api/hosts/${one}`)
      expect(own.wrong).toEqual([])
    },
  )
})

/** A window that closes when the test ends. */
function closing(window: Window): Window & AsyncDisposable {
  return { ...window, [Symbol.asyncDispose]: () => window.page.context().close() }
}
