import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const PAGES = {
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
  for (const path of ['/docs/search', '/docs/permissions', '/docs/configuration', '/docs/settings']) {
    const { text } = await api.nobody.get(path)
    for (const [, url = ''] of text.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)) {
      const [page = '', anchor] = url.split('#')
      expect((await api.nobody.get(page)).status, url).toBe(200)
      if (anchor) expect(api.routes.map(({ id }) => id)).toContain(anchor)
    }
  }
})
