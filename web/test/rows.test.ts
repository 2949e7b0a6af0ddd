import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { given } from '../../test/support/given.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// Values with values inside: lists are tables, objects are groups of fields, and what is wrong is said at its cell.

describe.skipIf(!chromium)('lists inside of forms', { timeout: 120_000 }, () => {
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let admin: Window
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    api = await openTestApi()
    admin = await browser.open(await api.listen())
    page = admin.page
    await page.goto('/')
    await logIn(page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  const field = (key: string) => page.locator(`[data-field=${key}]`)
  const add = (key: string) => field(key).locator('[data-adds]').press('Enter')
  const row = (key: string, at: number) => field(key).locator('[data-row]').nth(at)
  const cell = (key: string, at: number, column: string) => row(key, at).locator(`[data-cell=${column}]`)
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  const saved = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const PARAMETERS = 'host_parameters_attributes'
  const INTERFACES = 'interfaces_attributes'

  test('parameters are rows that are added, changed and removed with keys, and what is refused is said at its cell', async () => {
    await page.goto('/hosts/new')
    await page.locator('#field-name').fill('rows.lab.test')
    await add(PARAMETERS)
    // The focus is where typing goes on.
    await page.keyboard.type('first')
    await cell(PARAMETERS, 0, 'value').locator('textarea').fill('one')
    await add(PARAMETERS)
    await page.keyboard.type('with blanks')
    await cell(PARAMETERS, 1, 'value').locator('textarea').fill('two')
    await save()
    await cell(PARAMETERS, 1, 'name').getByText("can't contain spaces.").waitFor()
    expect(await cell(PARAMETERS, 0, 'name').locator('.pf-m-error').count()).toBe(0)
    await page.locator('[data-cell=name] input:focus').waitFor()
    await expectAccessible(page, 'a refused row')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('second')
    expect(await cell(PARAMETERS, 1, 'name').locator('.pf-m-error').count()).toBe(0)
    await save()
    await saved('rows.lab.test')
    const stored = async () => (await api.admin.get('/api/hosts/rows.lab.test')).body.parameters
    const before = await stored()
    expect(before).toMatchObject([
      { name: 'first', value: 'one' },
      { name: 'second', value: 'two' },
    ])

    await page.goto('/hosts/rows.lab.test/edit')
    await cell(PARAMETERS, 1, 'value').locator('textarea').fill('2')
    await page.getByRole('button', { name: 'Remove first' }).press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove second')
    await save()
    await saved('rows.lab.test')
    expect(await stored()).toMatchObject([{ id: before[1].id, name: 'second', value: '2' }])
  })

  test('a hidden value that nobody has changed stays as it is', async () => {
    const host_parameters_attributes = [{ name: 'pin', value: '1234', hidden_value: true }]
    await given(api.admin, 'host', { name: 'hidden.lab.test', host_parameters_attributes })
    await page.goto('/hosts/hidden.lab.test/edit')
    expect(await cell(PARAMETERS, 0, 'hidden_value').getByRole('checkbox').isChecked()).toBe(true)
    await cell(PARAMETERS, 0, 'name').getByRole('textbox').fill('code')
    await save()
    await saved('hidden.lab.test')
    const { body } = await api.admin.get('/api/hosts/hidden.lab.test?show_hidden_parameters=true')
    expect(body.parameters).toMatchObject([{ name: 'code', value: '1234', 'hidden_value?': true }])
  })

  test('the value of a parameter is edited as code where its type is, and free JSON stays JSON', async () => {
    await given(api.admin, 'host', { name: 'typed.lab.test' })
    await page.goto('/hosts/typed.lab.test/edit')
    await add(PARAMETERS)
    await page.keyboard.type('limits')
    await cell(PARAMETERS, 0, 'parameter_type').getByRole('combobox').selectOption('json')
    await cell(PARAMETERS, 0, 'value').locator('.cm-content').fill('{"open": [1, 2]}')
    await expectAccessible(page, 'code in a row')
    await save()
    await saved('typed.lab.test')
    const { body } = await api.admin.get('/api/hosts/typed.lab.test')
    expect(body.parameters).toMatchObject([{ name: 'limits', value: { open: [1, 2] } }])
  })

  test('interfaces are rows whose further values are shown on request, with what is wrong of them', async () => {
    const { id: subnet_id } = await given(api.admin, 'subnet', {
      name: 'Office',
      network_type: 'IPv4',
      network: '192.0.2.0',
      mask: '255.255.255.0',
    })
    await given(api.admin, 'host', { name: 'net.lab.test', mac: '02:00:00:00:00:01' })
    await page.goto('/hosts/net.lab.test/edit')
    await add(INTERFACES)
    await cell(INTERFACES, 1, 'identifier').getByRole('textbox').fill('eth1')
    expect((await cell(INTERFACES, 1, 'mac').boundingBox())?.width).toBeGreaterThanOrEqual(144)
    await cell(INTERFACES, 1, 'mac').getByRole('textbox').fill('nonsense')
    await save()
    await cell(INTERFACES, 1, 'mac').getByText('is not a valid MAC address').waitFor()
    await cell(INTERFACES, 1, 'mac').getByRole('textbox').fill('02:00:00:00:00:02')
    await page.getByRole('button', { name: 'More fields of eth1' }).press('Enter')
    await row(INTERFACES, 1).locator('[data-field=mtu] input').fill('1')
    const subnet = row(INTERFACES, 1).locator('[data-field=subnet_id] input')
    await subnet.fill('Office')
    await page.getByRole('option', { name: 'Office', exact: true }).click()
    await expectAccessible(page, 'a row with more fields')
    await page.getByRole('button', { name: 'More fields of eth1' }).press('Enter')
    await save()
    // What is wrong is in sight.
    await row(INTERFACES, 1)
      .locator('[data-field=mtu]')
      .getByText(/must be/)
      .waitFor()
    await row(INTERFACES, 1).locator('[data-field=mtu] input').fill('9000')
    await save()
    await saved('net.lab.test')
    const stored = async () => (await api.admin.get('/api/hosts/net.lab.test')).body.interfaces
    expect(await stored()).toMatchObject([
      { primary: true, mac: '02:00:00:00:00:01' },
      { identifier: 'eth1', mac: '02:00:00:00:00:02', mtu: 9000, subnet_id },
    ])
    await page.goto('/hosts/net.lab.test/edit')
    await page.getByRole('button', { name: 'Remove eth1' }).press('Enter')
    await save()
    await saved('net.lab.test')
    expect(await stored()).toHaveLength(1)
  })

  test('an object is a group of fields, of which only changed ones are sent', async () => {
    await given(api.admin, 'host', { name: 'facet.lab.test' })
    const facet = { service_level: 'Premium', purpose_role: 'Server', autoheal: false }
    await api.admin.put('/api/hosts/facet.lab.test', { host: { subscription_facet_attributes: facet } })
    await page.goto('/hosts/facet.lab.test/edit')
    const group = field('subscription_facet_attributes')
    await group.locator('[data-field=purpose_usage] input').fill('Production')
    await group.locator('[data-field=purpose_addons] textarea').fill('One\nTwo')
    await save()
    await saved('facet.lab.test')
    const { body } = await api.admin.get('/api/hosts/facet.lab.test')
    expect(body.subscription_facet_attributes).toMatchObject({
      ...facet,
      purpose_usage: 'Production',
      purpose_addons: ['One', 'Two'],
    })
  })

  test('what a machine is ordered with is rows of names and values', async () => {
    const { id: profile } = await given(api.admin, 'compute_profile', { name: 'Small' })
    const { id: resource } = await given(api.admin, 'compute_resource')
    const list = `/compute_profiles/${profile}/compute_attributes`
    await page.goto(`/compute_attributes/new`)
    await page.locator('#field-compute_profile_id').fill('Small')
    await page.getByRole('option', { name: 'Small', exact: true }).click()
    const { body: ordered } = await api.admin.get(`/api/compute_resources/${resource}`)
    await page.locator('#field-compute_resource_id').fill(ordered.name)
    await page.getByRole('option', { name: ordered.name, exact: true }).click()
    for (const [at, [name, value]] of [
      ['cpus', '2'],
      ['cpus', 'x'],
      ['flavour', 'm1.small'],
    ].entries()) {
      await add('vm_attrs')
      await cell('vm_attrs', at, 'name')
        .getByRole('textbox')
        .fill(name ?? '')
      await cell('vm_attrs', at, 'value')
        .locator('textarea')
        .fill(value ?? '')
    }
    await save()
    await cell('vm_attrs', 1, 'name').getByText('This name occurs twice').waitFor()
    await cell('vm_attrs', 1, 'name').getByRole('textbox').fill('disks')
    await cell('vm_attrs', 1, 'value').locator('textarea').fill('["10 GB"]')
    await save()
    await page.waitForURL(/compute_attributes\/\d+/)
    const { body } = await api.admin.get(`/api${list}?per_page=1`)
    expect(body.results[0].vm_attrs).toEqual({ cpus: 2, disks: ['10 GB'], flavour: 'm1.small' })
  })

  test('what was typed into rows is there after a reload, but for secrets', async () => {
    await given(api.admin, 'host', { name: 'kept.lab.test' })
    await page.goto('/hosts/kept.lab.test/edit')
    for (const [at, [name, value]] of [
      ['city', 'Vienna'],
      ['password', 'hunter2'],
    ].entries()) {
      await add(PARAMETERS)
      await cell(PARAMETERS, at, 'name')
        .getByRole('textbox')
        .fill(name ?? '')
      await cell(PARAMETERS, at, 'value')
        .locator('textarea')
        .fill(value ?? '')
    }
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('hunter2')
    await page.reload()
    await page.getByText('Your earlier input is still here.').waitFor()
    expect(await cell(PARAMETERS, 0, 'value').locator('textarea').inputValue()).toBe('Vienna')
    expect(await cell(PARAMETERS, 1, 'name').getByRole('textbox').inputValue()).toBe('password')
    expect(await cell(PARAMETERS, 1, 'value').locator('textarea').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Discard it' }).press('Enter')
    expect(await field(PARAMETERS).locator('[data-row]').count()).toBe(0)
  })
})
