import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Program, ready, start } from '../../test/cli/program.ts'
import { emptyDatabaseUrl } from '../../test/support/database.ts'
import { unusedPort } from '../../test/support/peers/listener.ts'
import {
  chooseInMenu,
  chromium,
  confirmDeletion,
  expectAccessible,
  logIn,
  openBrowser,
  type Window,
} from './browser.ts'
import { openFront } from './front.ts'

// What becomes of typed input when something goes wrong: on the program itself, which is stopped and started, below a path
// that is configured at run time.

const ADMIN = { login: 'admin', password: 'correct horse' }
const BASE = '/fleet/'

describe.skipIf(!chromium)('what is typed', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-lost-'))
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let database: Awaited<ReturnType<typeof emptyDatabaseUrl>>
  let program: Program
  let front: Awaited<ReturnType<typeof openFront>>
  let admin: Window
  let port = 0

  beforeAll(async () => {
    browser = await openBrowser({ isShell: true })
    database = await emptyDatabaseUrl()
    program = begin()
    port = Number(new URL(await ready(program)).port)
    front = await openFront(BASE, () => port)
    admin = await browser.open(front.origin)
    await admin.page.goto(`${BASE}models`)
    await logIn(admin.page, ADMIN.login, ADMIN.password)
  }, 240_000)
  afterEach(() => expect(admin.wrong.splice(0)).toEqual([]))
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await front?.[Symbol.asyncDispose]()
    await end()
    await database?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts the service on its port, on the given database. */
  function begin(url = database.url): Program {
    const flags = ['--port', String(port), '--console-base', BASE, '--body-limit', '64KiB']
    const env = { MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password, DATABASE_URL: url }
    return start(flags, folder, env)
  }
  async function end(): Promise<void> {
    program?.process.kill('SIGKILL')
    await program?.ended
  }
  const api = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Basic ${btoa(`${ADMIN.login}:${ADMIN.password}`)}`,
      'content-type': 'application/json',
    }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const field = (page: Page, key: string) => page.locator(`#field-${key}`)
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const again = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Try again' })
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }))

  test('below a base path every way stays below it: links, the palette, the back button and a reload', async () => {
    const { page } = admin
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${BASE}models?search=name+~+Based`)
    await page.getByRole('link', { name: 'Create Hardware model' }).press('Enter')
    await field(page, 'name').fill('Based')
    await save(page)
    await heading(page, 'Based')
    expect(new URL(page.url()).pathname).toMatch(/^\/fleet\/models\/\d+$/)
    await page.reload()
    await heading(page, 'Based')
    await page.keyboard.press('Control+k')
    await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
    await page.keyboard.type('architectures')
    await page.locator('button[aria-current=true]', { hasText: 'Architectures' }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Architectures')
    expect(page.url()).toBe(`${front.origin}${BASE}architectures`)
    await page.goBack()
    await heading(page, 'Based')
    await page.getByRole('button', { name: 'admin: User menu' }).press('Enter')
    expect(await page.getByRole('menuitem', { name: /API/ }).getAttribute('href')).toBe(`${BASE}docs`)
    expect(asked.filter((path) => !path.startsWith(BASE))).toEqual([])
    expect(asked.some((path) => path.startsWith(`${BASE}api/`))).toBe(true)
  })

  test('a service that is away, waits for its database, and comes back, loses nothing of it', async () => {
    const { page } = admin
    await page.goto(`${BASE}models/new`)
    await field(page, 'name').fill('Restarted')
    await field(page, 'info').fill('typed before')
    await end()
    await save(page)
    await page.getByRole('heading', { name: 'The service cannot be reached.' }).waitFor()
    await expectAccessible(page, 'a service that is away')
    program = begin(`postgres://nobody@127.0.0.1:${await unusedPort()}/nothing`)
    await vi.waitFor(() => expect(program.stderr()).toContain('"waiting for the database"'), 60_000)
    await again(page).press('Enter')
    await page.getByRole('heading', { name: 'The service is busy or its database does not answer.' }).waitFor()
    await expectAccessible(page, 'a service that waits')
    await end()
    program = begin()
    await ready(program)
    expect(await field(page, 'info').inputValue()).toBe('typed before')
    await again(page).press('Enter')
    await heading(page, 'Restarted')
    expect((await api('GET', '/api/models?search=name+%3D+Restarted')).body.results).toMatchObject([
      { name: 'Restarted', info: 'typed before' },
    ])
  })

  test('an input that is too large stays, so that it can be shortened', async () => {
    const { page } = admin
    await page.goto(`${BASE}models/new`)
    await field(page, 'name').fill('Large')
    await field(page, 'info').fill('x'.repeat(70_000))
    await save(page)
    await page.getByRole('heading', { name: 'This exceeds the size limit of the service.' }).waitFor()
    await page.getByText('Make it smaller, and try again.').waitFor()
    await expectAccessible(page, 'too large')
    expect((await field(page, 'info').inputValue()).length).toBe(70_000)
    await field(page, 'info').fill('smaller')
    await again(page).press('Enter')
    await heading(page, 'Large')
  })

  test('a conflict is explained, and the request succeeds once it is resolved', async () => {
    const { page } = admin
    const { body: parent } = await api('POST', '/api/hostgroups', { hostgroup: { name: 'Above' } })
    const { body: child } = await api('POST', '/api/hostgroups', { hostgroup: { name: 'Below', parent_id: parent.id } })
    await page.goto(`${BASE}hostgroups/${parent.id}`)
    await chooseInMenu(page, 'More actions', 'Delete')
    const dialog = page.getByRole('dialog')
    await confirmDeletion(page, 'Above')
    await dialog.getByText('Cannot delete group Above because it has nested host groups.').waitFor()
    await expectAccessible(page, 'a conflict')
    expect((await api('DELETE', `/api/hostgroups/${child.id}`)).status).toBe(200)
    await dialog.getByRole('button', { name: 'Try the rest again' }).press('Enter')
    await heading(page, 'Host groups')
    await page.getByText('Above is deleted').waitFor()
  })

  test('a reload keeps it, also after the session has ended, and no password', async () => {
    const { page } = admin
    await page.goto(`${BASE}users`)
    await page.getByRole('link', { name: 'Create User' }).press('Enter')
    await field(page, 'login').fill('reloaded')
    await field(page, 'mail').fill('reloaded@example.test')
    await field(page, 'password').fill('never-kept-anywhere')
    await page.reload()
    await page.getByText('Your earlier input is still here.').waitFor()
    await expectAccessible(page, 'kept')
    expect(await field(page, 'login').inputValue()).toBe('reloaded')
    expect(await field(page, 'password').inputValue()).toBe('')
    expect(await kept(page)).toContain('reloaded@example.test')
    expect(await kept(page)).not.toContain('never-kept')
    await page.context().clearCookies()
    await page.reload()
    await logIn(page, ADMIN.login, ADMIN.password)
    await page.getByText('Your earlier input is still here.').waitFor()
    expect(await field(page, 'mail').inputValue()).toBe('reloaded@example.test')
    await field(page, 'password').fill('never-kept-anywhere')
    await page.goBack()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).press('Enter')
    expect(await field(page, 'login').inputValue()).toBe('reloaded')
    await save(page)
    await page.getByRole('heading', { level: 1, name: 'reloaded' }).waitFor()
    expect(await kept(page)).not.toContain('reloaded')
  })

  test('a discarded draft is gone, and changes by others are asked about after a reload, too', async () => {
    const { page } = admin
    const { body } = await api('POST', '/api/models', { model: { name: 'Both', info: 'first' } })
    const path = `/models/${body.id}`
    await page.goto(`${BASE}models`)
    await page.goto(`${BASE.slice(0, -1)}${path}/edit`)
    await field(page, 'info').fill('mine')
    await page.reload()
    await page.getByRole('button', { name: 'Discard it' }).press('Enter')
    expect(await field(page, 'info').inputValue()).toBe('first')
    await page.reload()
    await field(page, 'info').waitFor()
    expect(await page.getByText('Your earlier input is still here.').count()).toBe(0)
    await field(page, 'info').fill('mine')
    expect((await api('PUT', `/api${path}`, { model: { info: 'theirs' } })).status).toBe(200)
    await page.reload()
    await page.getByText('Your earlier input is still here.').waitFor()
    expect(await field(page, 'info').inputValue()).toBe('mine')
    await save(page)
    await page.getByText('Another user has changed this record.').first().waitFor()
    await page.getByText('theirs', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save my values anyway' }).press('Enter')
    await heading(page, 'Both')
    expect((await api('GET', `/api${path}`)).body.info).toBe('mine')
    await page.goto(`${BASE.slice(0, -1)}${path}/edit`)
    await field(page, 'info').fill('given up')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Leave', exact: true }).press('Enter')
    await heading(page, 'Both')
    expect(await kept(page)).not.toContain('given up')
  })
})
