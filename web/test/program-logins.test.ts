import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { millwright } from '../../test/client/program.ts'
import { ADMIN, openTestApi, type TestApi } from '../../test/support/api.ts'
import { spawn } from '../../test/support/processes.ts'
import { chromium, expectAccessible, logIn, openBrowser, type Window } from './browser.ts'

// The command line logs in through the browser of a person, who sees what is asked for and decides.

describe.skipIf(!chromium)('the command line', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'millwright-program-logins-'))
  const env = { HOME: home, XDG_CONFIG_HOME: home, BROWSER: 'true' }
  let api: TestApi
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let window: Window
  let address: string

  beforeAll(async () => {
    browser = await openBrowser()
    api = await openTestApi()
    address = await api.listen()
    window = await browser.open(address)
    await window.page.goto('/')
    await logIn(window.page, ADMIN.login, ADMIN.password)
  }, 180_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true })
  })

  /** Starts a login, and yields what it prints first and how it ends. */
  function start(...flags: string[]) {
    const child = spawn(process.execPath, ['bin/millwright.js', 'login', address, ...flags], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    const printed = Promise.withResolvers<string>()
    const ended = Promise.withResolvers<{ code: number | null; text: string }>()
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        printed.resolve(text)
      })
    child.on('close', (code) => ended.resolve({ code, text }))
    return { printed: printed.promise, ended: ended.promise }
  }

  test('logs in on the same machine, says who it is, and logs out', async () => {
    const { page, wrong } = window
    const login = start('--browser', '--name', 'here')
    await page.goto(/\S+\/authorize\?\S+/.exec(await login.printed)?.[0] ?? '')
    await page.getByText(/^millwright on /).waitFor()
    await page.getByText('All that you have').waitFor()
    await expectAccessible(page, 'consent')
    await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter')
    await page.getByText('You are logged in').waitFor()
    expect(await login.ended).toMatchObject({
      code: 0,
      text: expect.stringContaining('as admin; the context is called here'),
    })
    expect(wrong.splice(0).filter((one) => !/^http:\/\/127\.0\.0\.1:\d+\/(?:\?state=|favicon)/.test(one))).toEqual([])

    const who = await millwright(['whoami', '--output', 'json'], env)
    expect(JSON.parse(who.stdout)).toMatchObject({
      login: 'admin',
      method: 'token',
      address: '127.0.0.1',
      permissions: null,
    })
    const { token } = JSON.parse(readFileSync(join(home, 'millwright/contexts.json'), 'utf8')).contexts.here
    expect(await millwright(['logout'], env)).toEqual({ code: 0, stderr: '', stdout: 'Logged out of here.\n' })
    expect((await api.as({ authorization: `Bearer ${token}` }).get('/api/status')).status).toBe(401)
  })

  test('logs in by a code that is typed elsewhere, with some permissions only', async () => {
    const { page, wrong } = window
    const login = start('--device', '--permissions', 'view_hosts', '--name', 'there')
    const [code = ''] = /[B-Z]{4}-[B-Z]{4}/.exec(await login.printed) ?? []
    await page.goto('/device')
    await page.getByLabel('Code').fill(code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByText('view_hosts', { exact: true }).waitFor()
    await expectAccessible(page, 'consent by code')
    await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter')
    await page.getByText('The program is logged in').waitFor()
    expect((await login.ended).code).toBe(0)
    const who = await millwright(['whoami', '--output', 'json'], env)
    expect(JSON.parse(who.stdout)).toMatchObject({ login: 'admin', permissions: ['view_hosts'] })
    expect((await millwright(['logout'], env)).code).toBe(0)

    await page.goto(`/device?user_code=${code}`)
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByText(/is wrong, has expired, or was used already/).waitFor()
    expect(wrong.splice(0)).toEqual([])
  })

  test('is told when somebody denies', async () => {
    const { page } = window
    const login = start('--browser')
    await page.goto(/\S+\/authorize\?\S+/.exec(await login.printed)?.[0] ?? '')
    await page.getByRole('button', { name: 'Deny', exact: true }).press('Enter')
    await page.getByText('The login was refused').waitFor()
    expect(await login.ended).toMatchObject({
      code: 4,
      text: expect.stringContaining('the login was refused in the browser'),
    })
  })
})
