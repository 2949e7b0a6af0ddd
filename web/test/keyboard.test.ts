import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN } from '../../test/support/api.ts'
import { chromium, openBrowser, type Window } from './browser.ts'
import { createHands, type Hands } from './keyboard.ts'
import { openSite, type Site } from './looks-world.ts'
import { go, settled } from './walk-steps.ts'

// Each of the ten jobs, from the dashboard to what is stored or found, with keys alone: every step is reached by Tab, arrows,
// a shortcut or the palette.

describe.skipIf(!chromium)('with the keyboard alone', { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let site: Site
  let admin: Window
  let page: Page
  let hands: Hands

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    site = await openSite()
    admin = await browser.open(await site.world.api.listen())
    page = admin.page
    await page.addInitScript(() => {
      for (const kind of ['pointerdown', 'mousedown', 'touchstart'])
        addEventListener(kind, () => console.log('Warning: something was clicked'), true)
    })
    hands = createHands(page)
    await page.goto('/')
    await hands.fill(page.getByLabel('Login'), ADMIN.login)
    await hands.fill(page.getByLabel('Password'), ADMIN.password)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor({ state: 'attached' })
  }, 240_000)
  beforeEach(async () => {
    await go(page, '/')
    await titled('Welcome, Admin User')
  })
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  const titled = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const api = async (path: string) => (await site.world.api.admin.get(path)).body

  test('a link that looks like a button keeps the focus when its page is drawn again', async () => {
    await go(page, '/models')
    await settled(page)
    const link = page.getByRole('link', { name: 'Create Hardware model' }).first()
    await link.focus()
    await go(page, '/models?search=name+~+nothing')
    await page.getByText('Nothing matches this search').waitFor()
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('what has the focus stays where it is when an editor above it has been loaded', async () => {
    const held: Route[] = []
    const isEditor = ({ pathname }: URL) => /\/code-mirror[^/]*\.js$/.test(pathname)
    await page.route(isEditor, (route) => void held.push(route))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/provisioning_templates/new')
    const box = page.locator('#field-default')
    await box.focus()
    const top = () => box.evaluate((one) => one.getBoundingClientRect().top)
    const before = await top()
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const route of held) await route.continue()
    await page.locator('#field-template .cm-editor').waitFor()
    expect(Math.abs((await top()) - before)).toBeLessThan(40)
    await page.unroute(isEditor)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('the dashboard leads to the hosts behind a figure', async () => {
    await hands.use(page.getByRole('link', { name: /^Error/ }))
    await titled('Hosts')
    await hands.use(page.getByRole('link', { name: 'db3.example.test', exact: true }))
    await titled('db3.example.test')
  })

  test('a directory is tried, and saved', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // a TCP server
    await new Promise((resolve) => server.close(resolve))
    await hands.goTo('create directory', 'Create Directory')
    await titled('Create Directory')
    await hands.fill(page.locator('#field-name'), 'Company')
    await hands.fill(page.locator('#field-host'), '127.0.0.1')
    await hands.fill(page.locator('#field-port'), String(port))
    await hands.use(button('Test these values'))
    await page.getByText('Nobody can log in with these values').waitFor()
    await page.keyboard.press('Control+Enter')
    await titled('Company')
  })

  test('a matcher is looked at and saved, and the order changed', async () => {
    await hands.goTo('class parameters', 'Class parameters')
    await hands.use(page.getByRole('link', { name: 'worker_processes', exact: true }))
    await titled('worker_processes')
    await hands.fill(page.locator('#matcher-match'), 'hostgroup=db')
    await hands.fill(page.locator('#matcher-value'), '4')
    await hands.use(part('Matchers').getByRole('button', { name: 'Preview changes' }))
    await part('Matchers').getByRole('row').filter({ hasText: 'db1.example.test' }).first().waitFor()
    await hands.use(part('Matchers').getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('rowheader', { name: 'hostgroup=db' }).waitFor()
    await hands.use(part('Order and merging').getByRole('button', { name: 'Move hostgroup up' }))
    await hands.use(part('Order and merging').getByRole('button', { name: 'Preview changes' }))
    await part('Order and merging').getByRole('button', { name: 'Save', exact: true }).waitFor()
    await hands.choose(part('Value for a host').getByRole('combobox', { name: 'Host' }), 'db1', 'db1.example.test')
    const candidate = part('Value for a host').getByRole('row').filter({ hasText: 'hostgroup=db' })
    await candidate.getByText('applied', { exact: true }).waitFor()
  })

  test('a template is written beside what a host gets of it, and bound to a group and an environment', async () => {
    await hands.goTo('templates', 'Templates')
    await hands.use(page.getByRole('link', { name: 'First start', exact: true }))
    await titled('First start')
    await page.keyboard.press('e')
    await hands.choose(page.getByRole('combobox', { name: 'Host', exact: true }), 'web1', 'web1.example.test')
    const text = page.getByRole('textbox', { name: 'Template', exact: true })
    await hands.reach(text)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('I am <%= @host.name %>')
    await part('Rendered text').getByText('I am web1.example.test').waitFor()
    await page.keyboard.press('Control+Enter')
    await titled('First start')
    const cell = page.getByRole('checkbox', { name: 'web, production' })
    await hands.use(cell, 'Space')
    await page.locator('input[aria-label="web, production"]:checked').waitFor()
  })

  test('a host is run, and its run cancelled', async () => {
    await hands.goTo('build2.example', 'build2.example.test')
    await titled('build2.example.test')
    await hands.use(page.getByRole('tab', { name: 'Runs' }))
    await hands.use(button('Run the configuration now'))
    await page.waitForURL(/config_runs\/\d+/)
    await hands.use(part('Output').getByRole('button', { name: /^Cancel/ }))
    await part('Output').getByText('cancelled', { exact: true }).waitFor()
  })

  test('a key yields its command, and brings back what differs', async () => {
    await go(page, site.pages.key ?? '')
    await titled('web')
    await hands.use(button('Generate command'))
    await page.getByRole('textbox', { name: 'Command' }).waitFor()
    await hands.reach(button('Copy'))
    await hands.use(button('Re-apply key'))
    await hands.use(button('Yes, re-apply'))
    await page.getByText('The key is being re-applied').waitFor()
  })

  test('a host is found by a search, and says why it is so', async () => {
    await hands.goTo('hosts', 'Hosts')
    await titled('Hosts')
    await page.keyboard.press('/')
    await page.keyboard.type('name = web1.example.test')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'web2.example.test', exact: true }).waitFor({ state: 'detached' })
    await hands.use(page.getByRole('link', { name: 'web1.example.test', exact: true }))
    await titled('web1.example.test')
    await hands.use(page.getByRole('tab', { name: 'Classes' }))
    await hands.use(page.getByRole('button', { name: /^worker_processes/ }))
    await page.getByRole('row').filter({ hasText: 'fqdn=web1.example.test' }).getByText('applied').waitFor()
  })

  test('who may is asked for a person, a record and a permission', async () => {
    await hands.goTo('check access', 'Check access')
    await titled('Check access')
    await hands.choose(page.getByRole('combobox', { name: 'User', exact: true }), 'ada', 'ada')
    await hands.pick(page.locator('#may-kind'), 'Host')
    await page.waitForURL(/kind=hosts(?:&|$)/)
    await hands.choose(page.getByRole('combobox', { name: 'Host', exact: true }), 'web1', 'web1.example.test')
    await hands.pick(page.locator('#may-permission'), 'view_hosts')
    await page.getByText('Access allowed').waitFor()
  })

  test('the history of one kind of record leads to a record', async () => {
    await hands.goTo('history', 'History')
    await titled('History')
    await hands.pick(page.getByRole('combobox', { name: 'Any kind of record' }), 'Role')
    await page.waitForURL(/kind=role(?:&|$)/)
    await hands.use(page.getByRole('grid', { name: 'History' }).getByRole('link', { name: 'Web operators' }))
    await titled('Web operators')
  })

  test('an organization is chosen', async () => {
    await hands.use(page.getByRole('button', { name: 'Organization: Any organization' }))
    await hands.reach(page.getByRole('option', { name: 'Example', exact: true }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Organization: Example' }).waitFor()
    expect(page.url()).toMatch(/organization_id=\d+$/)
  })

  test('a token is made and taken back', async () => {
    await hands.goTo('my account', 'My account')
    await hands.fill(page.locator('#token-name'), 'nightly')
    await hands.use(button('Create token'))
    await page.getByRole('textbox', { name: 'Value of the token' }).waitFor()
    await hands.use(page.getByRole('button', { name: 'Revoke nightly' }))
    await page.getByText('Revoked', { exact: true }).waitFor()
    const { results } = await api('/api/users/1/personal_access_tokens')
    expect(results.find(({ name }: { name: string }) => name === 'nightly')).toMatchObject({ 'active?': false })
  })
})
