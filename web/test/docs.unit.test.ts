import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUIDES } from '../../src/http/pages/guides.ts'
import { type Program, ready, start } from '../../test/cli/program.ts'
import { chromium, openBrowser } from './browser.ts'

// The pages at /docs, as a newcomer reads them.
describe.skipIf(!chromium)('the documents in the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-docs-'))
  let program: Program
  let address: string
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    program = start(['--port', '0'], folder, { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' })
    ;[address, browser] = await Promise.all([ready(program), openBrowser()])
  }, 180_000)
  afterAll(async () => {
    program?.process.kill('SIGKILL')
    await Promise.all([program?.ended, browser?.[Symbol.asyncDispose]()])
    rmSync(folder, { recursive: true, force: true })
  })

  test('one search finds guides and operations, the best first, also from a guide', async () => {
    const { page, wrong } = await browser.open(address)
    await page.goto('/docs/backup')
    await page.getByRole('searchbox').fill('data directory is read-only')
    await page.keyboard.press('Enter')
    await page.locator('main .card').first().waitFor()
    expect(await page.locator('main .card b').first().textContent()).toContain('Faults')
    await page.getByRole('searchbox').fill('verifying')
    await page.locator('main .card', { hasText: 'Back up, restore, move' }).first().click()
    await page.waitForURL(/\/docs\/backup/)
    await page.goto('/docs')
    await page.getByRole('searchbox').fill('create an architecture')
    const operation = page.locator('main .operation').first()
    await operation.waitFor()
    expect(await operation.textContent()).toContain('/api/architectures')
    expect(wrong).toEqual([])
  }, 120_000)

  test('blocks of code are copied by a button, and the parts of a guide are listed at its beginning', async () => {
    const { page, wrong } = await browser.open(address, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/docs/install')
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(await page.locator('main pre').first().textContent())
    await page.getByRole('navigation', { name: 'On this page' }).waitFor()
    const parts = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    expect(await parts.allTextContents()).toEqual(await page.locator('main h2').allTextContents())
    expect(wrong).toEqual([])
  }, 120_000)

  test('an operation is tried with the session of the console, a write with its token', async () => {
    const { page, wrong } = await browser.open(address)
    await page.goto('/docs#architectures.create')
    const operation = page.locator('[id="architectures.create"]')
    await operation.getByText('Try it with my session').click()
    const send = async (name: string) => {
      await operation.getByLabel('body').fill(JSON.stringify({ architecture: { name } }))
      await operation.getByRole('button', { name: 'Send' }).click()
    }
    await send('tried')
    await operation.getByText('log in to the console').waitFor()
    const login = { login: 'admin', password: 'correct horse' }
    const headers = { authorization: `Basic ${btoa(`${login.login}:${login.password}`)}` }
    expect((await page.request.post('/api/session', { headers, data: {} })).status()).toBe(201)
    await send('tried')
    await operation.getByText('201 Created').waitFor()
    expect((await page.request.get('/api/architectures/tried')).status()).toBe(200)
    expect(wrong).toEqual([])
  }, 120_000)

  test('an operation shows a request that was sent once, with its answer', async () => {
    const { page, wrong } = await browser.open(address)
    const recorded = JSON.parse(readFileSync('docs/generated/examples.json', 'utf8'))
    for (const name of ['domains.list', 'domains.create', 'domains.show']) {
      const { params = {}, query = {}, body, answer } = recorded[name]
      await page.goto(`/docs#${name}`)
      const blocks = page.locator(`[id="${name}"] .examples > pre`)
      await blocks.nth(1).waitFor()
      const [request, shown] = await blocks.allTextContents()
      expect(JSON.parse(shown ?? '')).toEqual(answer)
      const told = [...Object.entries(query).map(([key, value]) => `"${key}=${value}"`), ...Object.values(params)]
      for (const part of told) expect(request).toContain(part)
      if (body) expect(JSON.parse(/-d '([\s\S]*)'$/.exec(request ?? '')?.[1] ?? '')).toEqual(body)
    }
    // A text is shown as it came.
    await page.goto('/docs#config_runs.output')
    const blocks = page.locator('[id="config_runs.output"] .examples > pre')
    await blocks.nth(1).waitFor()
    expect(await blocks.nth(1).textContent()).toBe(recorded['config_runs.output'].answer)
    expect(wrong).toEqual([])
  }, 120_000)

  test('every guide fits a phone, its words before the names of the others', async () => {
    const { page, wrong } = await browser.open(address, { viewport: { width: 360, height: 740 } })
    for (const path of ['/docs', ...GUIDES.map(({ name }) => `/docs/${name}`)]) {
      await page.goto(path)
      await page.locator('main h1').waitFor()
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect({ path, beyond: await page.evaluate(beyond) }).toEqual({ path, beyond: 0 })
      const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
      expect(await top('main')).toBeLessThan(await top('#menu'))
    }
    expect(wrong).toEqual([])
  }, 180_000)
})
