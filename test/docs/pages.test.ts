import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUIDES } from '../../src/http/pages/guides.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const GUIDE_PAGES = Object.fromEntries(GUIDES.map(({ name }) => [`/docs/${name}`, 'text/html; charset=utf-8']))

const PAGES = {
  ...GUIDE_PAGES,
  '/docs/examples.js': 'text/javascript; charset=utf-8',
  '/docs/copying.js': 'text/javascript; charset=utf-8',
  '/docs/finding.js': 'text/javascript; charset=utf-8',
  '/docs/trying.js': 'text/javascript; charset=utf-8',
  '/docs/sections.js': 'text/javascript; charset=utf-8',
  '/docs': 'text/html; charset=utf-8',
  '/docs/': 'text/html; charset=utf-8',
  '/docs/app.js': 'text/javascript; charset=utf-8',
  '/docs/theme.js': 'text/javascript; charset=utf-8',
  '/docs/style.css': 'text/css; charset=utf-8',
  '/docs/icon.svg': 'image/svg+xml; charset=utf-8',
  '/docs/search': 'text/html; charset=utf-8',
  '/docs/templates': 'text/html; charset=utf-8',
  '/docs/permissions': 'text/html; charset=utf-8',
  '/docs/configuration': 'text/html; charset=utf-8',
  '/docs/settings': 'text/html; charset=utf-8',
}

test('the documentation is there for everybody', async () => {
  for (const [path, type] of Object.entries(PAGES)) {
    const { status, headers, text } = await api.nobody.get(path)
    expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type })
    expect(text.length).toBeGreaterThan(200)
  }
  for (const path of ['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/site/app.js']) {
    expect(await api.nobody.get(path)).toMatchObject({ status: 404, body: { status: 404, error: 'Not Found' } })
  }
})

test('its pages keep to what the content security policy allows, and to this service', async () => {
  for (const path of Object.keys(PAGES)) {
    const { headers, text } = await api.nobody.get(path)
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    if (!String(headers['content-type']).startsWith('text/html')) continue
    const loaded = [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(loaded.length).toBeGreaterThan(2)
    for (const url of loaded) expect((await api.nobody.get(String(url))).status, url).toBe(200)
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
  }
})

test('guides are rendered inside the frame, with headings to link to', async () => {
  const { text } = await api.nobody.get('/docs/search')
  expect(text).toContain('<title>Search language · Millwright</title>')
  expect(text).toContain('<h2 id="free-text">Free text</h2>')
  expect((await api.nobody.get('/docs/permissions')).text).toContain('<code>view_architectures</code>')
  expect((await api.nobody.get('/docs/configuration')).text).toContain('MILLWRIGHT_PORT')
  expect((await api.nobody.get('/docs/settings')).text).toContain('swap::used*, memory')
})

test('every link of the guides leads somewhere', async () => {
  const operations = new Set(api.routes.map(({ id }) => id))
  for (const path of Object.keys(GUIDE_PAGES)) {
    const { text } = await api.nobody.get(path)
    for (const [, url = ''] of text.matchAll(/<a [^>]*?href="((?!https?:|mailto:)[^"]*)"/g)) {
      const [page = '', anchor] = url.startsWith('#') ? [path, url.slice(1)] : url.split('#')
      const target = await api.nobody.get(page)
      expect({ path, url, status: target.status }).toEqual({ path, url, status: 200 })
      if (anchor)
        expect(page === '/docs' ? operations.has(anchor) : target.text.includes(`id="${anchor}"`), url).toBe(true)
    }
  }
})

test('all guides of the repository are among them, and in the list of every page', async () => {
  const files = readdirSync('docs').filter((file) => file.endsWith('.md'))
  expect(files.map((file) => file.slice(0, -3)).filter((name) => !GUIDES.some((guide) => guide.name === name))).toEqual(
    [],
  )
  for (const page of ['/docs', '/docs/faults']) {
    const { text } = await api.nobody.get(page)
    for (const { name, title } of GUIDES) expect(text).toContain(`<a href="/docs/${name}">${title}</a>`)
  }
})

test('the search covers every heading of every guide, with its words', async () => {
  const { text } = await api.nobody.get('/docs/sections.js')
  const body = JSON.parse(text.replace(/^export const sections = /, ''))
  const found = body.find(({ url }: { url: string }) => url === '/docs/faults#what-to-do')
  expect(found).toMatchObject({
    guide: 'Faults',
    title: 'What to do',
    text: expect.stringContaining('millwright doctor'),
  })
  expect(new Set(body.map(({ guide }: { guide: string }) => guide))).toEqual(new Set(GUIDES.map(({ title }) => title)))
})

test('the description of the API and the guides come compressed to whoever takes that, and only to them', async () => {
  const address = await api.listen()
  const ask = async (path: string, headers: Record<string, string>) => {
    const [answer] = await once(request(`${address}${path}`, { headers }).end(), 'response')
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
  }
  for (const path of ['/api/openapi.json', '/docs/configuration']) {
    const plain = await ask(path, {})
    const { bytes, headers } = await ask(path, { 'accept-encoding': 'br, gzip' })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(bytes.length * 3).toBeLessThan(plain.bytes.length)
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
    for (const refused of [plain, await ask(path, { 'accept-encoding': 'gzip;q=0' })])
      expect(refused.headers).not.toHaveProperty('content-encoding')
    if (headers.etag) expect((await ask(path, { 'if-none-match': headers.etag })).status).toBe(304)
  }
  expect((await ask('/api/ping', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding')
})
