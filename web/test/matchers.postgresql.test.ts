import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { ADMIN, expectCreated, openTestApi, type TestApi } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import { given } from '../../test/support/given.ts'
import { chooseInMenu, chromium, drag, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// The page of a class parameter: its matchers and their order.

describe.skipIf(!chromium)('matchers', { timeout: 120_000 }, () => {
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

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  test('a matcher is looked at before it is saved, and the history says who saved it', async () => {
    const { page } = admin
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
    await matchers.getByRole('combobox', { name: 'Match' }).fill('hostgroup=Clokcs')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('own.lab.test')
    await matchers.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await matchers
      .locator('#matcher-match-help')
      .getByText('hostgroup=Clokcs does not match an existing host group')
      .waitFor()
    expect(await matchers.getByRole('alert').textContent()).not.toMatch(/service|log/)
    await matchers.getByRole('combobox', { name: 'Match' }).fill('hostgroup=Clocks')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('own.lab.test')
    await matchers.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const row = matchers.getByRole('row').filter({ hasText: 'clock.lab.test' })
    await row.filter({ hasText: 'pool.lab.test' }).filter({ hasText: 'own.lab.test' }).waitFor()
    expect((await api.admin.get(`/api/smart_class_parameters/${id}`)).body.override_values).toEqual([])
    const document = part(page, 'ENC output before and after')
    await document.locator('del', { hasText: '"servers": "pool.lab.test"' }).waitFor()
    await document.locator('ins', { hasText: '"servers": "own.lab.test"' }).waitFor()
    await document.getByRole('button', { name: 'Remove clock.lab.test' }).press('Enter')
    await document.getByRole('combobox', { name: 'Host' }).fill('other')
    await page.getByRole('option', { name: 'other.lab.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await document.getByText('The ENC output of the host would not change.').waitFor()
    await expectAccessible(page, 'preview of a matcher')
    await matchers.getByRole('button', { name: 'Save' }).press('Enter')
    await matchers.getByRole('rowheader', { name: 'hostgroup=Clocks' }).waitFor()
    const won = matchers.getByRole('link', { name: '1: hosts with the value of hostgroup=Clocks' })
    expect(await won.getAttribute('href')).toMatch(/^\/hosts\?search=id/)
    await matchers.getByText('Hosts that get the parameter: 1. Without a matcher: 0').waitFor()
    const rules = part(page, 'Order and merging')
    await rules.getByRole('button', { name: 'Move hostgroup up' }).press('Enter')
    await rules.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await rules.getByText('No host would get another value.').waitFor()
    await part(page, 'ENC output before and after').waitFor()
    await part(page, 'Value for a host').getByRole('combobox', { name: 'Host' }).fill('clock')
    await page.getByRole('option', { name: 'clock.lab.test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const candidate = part(page, 'Value for a host').getByRole('row').filter({ hasText: 'hostgroup=Clocks' })
    await candidate.getByText('applied', { exact: true }).waitFor()
    await expectAccessible(page, 'class parameter')
    await page.goto('/history')
    await page.getByRole('combobox', { name: 'Any kind of record' }).selectOption('Matcher')
    await page.waitForURL(/kind=override_value/)
    const history = page.getByRole('grid', { name: 'History' })
    await history
      .getByRole('button', { name: /^Values: / })
      .first()
      .press('Enter')
    await history.getByRole('row').filter({ hasText: 'own.lab.test' }).first().waitFor()
    await expectAccessible(page, 'history')
  })

  test('a value is edited by its type, a match is completed, and one of 2,000 matchers is found', async () => {
    const { page } = admin
    const environment = await given(api.admin, 'environment', { name: 'typed' })
    const configclass = await given(api.admin, 'configclass', { name: 'typed', environment_ids: [environment.id] })
    await given(api.admin, 'hostgroup', { name: 'Typed' })
    const make = (parameter: string, parameter_type: string, default_value: string) =>
      importedParameter(api, { configclass, parameter, default_value, columns: { override: true, parameter_type } })
    const { id } = await make('options', 'hash', '{}')
    const matchers = part(page, 'Matchers')
    const press = (name: string) => matchers.getByRole('button', { name, exact: true }).press('Enter')
    const fill = (name: string, text: string) => matchers.getByRole('textbox', { name, exact: true }).fill(text)
    const match = matchers.getByRole('combobox', { name: 'Match' })
    const saved = async (parameter: number) => {
      await press('Preview changes')
      await press('Save')
      await matchers.getByRole('rowheader', { name: 'hostgroup=Typed' }).waitFor()
      return (await api.admin.get(`/api/smart_class_parameters/${parameter}`)).body.override_values[0].value
    }
    await page.goto(`/smart_class_parameters/${id}`)
    await match.fill('host')
    await matchers.locator('datalist option[value="hostgroup="]').waitFor({ state: 'attached' })
    await match.fill('hostgroup=Ty')
    await matchers.locator('datalist option[value="hostgroup=Typed"]').waitFor({ state: 'attached' })
    await match.fill('hostgroup=Typed')
    await press('Add a row')
    await fill('Key 1', 'port')
    await matchers.getByRole('combobox', { name: 'Type 1' }).selectOption('Number')
    await fill('Value 1', '80')
    await press('Add a row')
    await fill('Key 2', 'gone')
    await press('Add a row')
    await fill('Key 3', 'name')
    await matchers.getByRole('combobox', { name: 'Type 3' }).selectOption('Text')
    await fill('Value 3', '80')
    await press('Remove row 2')
    await expectAccessible(page, 'value in rows')
    expect(await saved(id)).toEqual({ port: 80, name: '80' })

    const flag = await make('flag', 'boolean', 'false')
    await page.goto(`/smart_class_parameters/${flag.id}`)
    await match.fill('hostgroup=Typed')
    await matchers.getByRole('switch', { name: 'Value' }).press('Space')
    expect(await saved(flag.id)).toBe(true)

    const many = await make('many', 'integer', '1')
    await sql`insert into override_values (smart_class_parameter_id, match, value)
      select ${many.id}::bigint, 'domain=d' || n || '.test', to_jsonb(n) from generate_series(1, 2000) n`.execute(
      api.database.db,
    )
    await page.goto(`/smart_class_parameters/${many.id}`)
    await matchers.getByRole('rowheader').first().waitFor()
    expect(await matchers.getByRole('row').count()).toBeLessThan(200)
    await matchers.getByRole('textbox', { name: 'Find Matchers' }).fill('d1999.')
    await matchers.getByRole('row').filter({ hasText: 'domain=d1999.test' }).waitFor()
    expect(await matchers.getByRole('rowheader').count()).toBe(1)
  })

  test('of two people who change one matcher the second is asked, and nothing typed is lost', async () => {
    const { page } = admin
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
    const warning = matchers.getByRole('alert').getByText('Another user has changed this record.').first()
    const saveTyped = async () => {
      await press('Preview changes')
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
    await press('Save my values anyway')
    await warning.waitFor({ state: 'detached' })
    await page.locator('#matcher-match[value=""]').waitFor()
    expect(await value()).toBe('mine again')

    await chooseInMenu(page, 'Menu of hostgroup=Shared', 'Delete')
    await matchers.getByText('No host would get another value.').waitFor()
    await change('needed')
    await press('Save')
    await warning.waitFor()
    expect(await value()).toBe('needed')
    await press('Discard my values and load the new ones')
    await warning.waitFor({ state: 'detached' })
    await matchers.getByRole('row').filter({ hasText: 'hostgroup=Shared' }).getByText('needed').waitFor()
  })

  test('of two people who change one order of matchers the second is asked, and nothing typed is lost', async () => {
    const { page } = admin
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
    const warning = rules.getByRole('alert').getByText('Another user has changed this record.').first()
    const saveTyped = async () => {
      await press('Preview changes')
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
    await Promise.all([page.waitForResponse(isStored), press('Save my values anyway')])
    await warning.waitFor({ state: 'detached' })
    await first('os')
    expect(await order()).toBe('os\ndomain\nfqdn')

    await change('domain')
    await press('Move domain up')
    await first('domain')
    await saveTyped()
    expect(await order()).toBe('domain')
    await press('Discard my values and load the new ones')
    await warning.waitFor({ state: 'detached' })
    await rules.getByRole('button', { name: 'Move os up' }).waitFor({ state: 'detached' })
    await first('domain')

    // A matcher that is saved on the page does not conflict with it.
    await rules.getByRole('textbox', { name: 'New line of the order' }).fill('fqdn')
    await press('Add')
    await rules.getByRole('button', { name: 'Move fqdn up' }).waitFor()
    const matchers = part(page, 'Matchers')
    await matchers.getByRole('combobox', { name: 'Match' }).fill('domain=lab.test')
    await matchers.getByRole('textbox', { name: 'Value' }).fill('near')
    await matchers.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await matchers.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await matchers.getByRole('rowheader', { name: 'domain=lab.test' }).waitFor()
    await press('Preview changes')
    await press('Save')
    await rules.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    expect(await order()).toBe('domain\nfqdn')
  })

  test('the order is changed by dragging a line or a matcher, or with the arrow keys at its grip', async () => {
    const { page } = admin
    const columns = { override: true, override_value_order: 'fqdn\nos\ndomain' }
    const { id } = await importedParameter(api, { parameter: 'dragged', default_value: '"default"', columns })
    await given(api.admin, 'host', { name: 'drag.lab.test' })
    for (const match of ['fqdn=drag.lab.test', 'domain=lab.test'])
      await expectCreated(
        api.admin.post(`/api/smart_class_parameters/${id}/override_values`, {
          override_value: { match, value: match },
        }),
      )
    const rules = part(page, 'Order and merging')
    const matchers = part(page, 'Matchers')
    const grip = (place: Locator, name: string) => place.getByRole('button', { name: `Position of ${name},` })
    const order = async (lines: readonly string[]) => {
      await rules
        .getByRole('listitem')
        .first()
        .filter({ hasText: lines[0] ?? '' })
        .waitFor()
      expect(await rules.getByRole('listitem').locator('bdi').allTextContents()).toEqual(lines)
    }
    await page.goto(`/smart_class_parameters/${id}`)
    await drag(grip(rules, 'domain'), rules.getByRole('listitem').first())
    await order(['domain', 'fqdn', 'os'])
    expect(await matchers.getByRole('rowheader').allTextContents()).toEqual(['domain=lab.test', 'fqdn=drag.lab.test'])
    await drag(grip(matchers, 'fqdn=drag.lab.test'), matchers.getByRole('rowheader', { name: 'domain=lab.test' }))
    await order(['fqdn', 'domain', 'os'])
    await grip(rules, 'fqdn').press('ArrowDown')
    await rules.getByText('fqdn is now at position 2 of 3').waitFor()
    await page.keyboard.press('ArrowDown')
    await order(['domain', 'os', 'fqdn'])
    await matchers.getByText('The order has changed').waitFor()
    await expectAccessible(page, 'another order')
    await rules.getByRole('button', { name: 'Preview changes' }).press('Enter')
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
})
