import type { FastifyInstance } from 'fastify'
import { setHeader } from '../listeners/header-values.ts'
import { baseOf, withBase } from '../paths.ts'
import { GUIDES, listSections, readDoc, renderGuide, withNavigation } from './guides.ts'

/** A public page at a path below `/docs`. */
interface Page {
  readonly path: string
  readonly type: 'text/html' | 'text/css' | 'text/javascript' | 'image/svg+xml'
  readonly text: () => Promise<string>
}

const PAGES: readonly Page[] = [
  { path: '/docs', type: 'text/html', text: async () => withNavigation(await readDoc('site/index.html')) },
  { path: '/docs/app.js', type: 'text/javascript', text: () => readDoc('site/app.js') },
  { path: '/docs/theme.js', type: 'text/javascript', text: () => readDoc('site/theme.js') },
  { path: '/docs/copying.js', type: 'text/javascript', text: () => readDoc('site/copying.js') },
  { path: '/docs/finding.js', type: 'text/javascript', text: () => readDoc('site/finding.js') },
  { path: '/docs/trying.js', type: 'text/javascript', text: () => readDoc('site/trying.js') },
  { path: '/docs/examples.js', type: 'text/javascript', text: writeExamples },
  { path: '/docs/style.css', type: 'text/css', text: () => readDoc('site/style.css') },
  { path: '/docs/icon.svg', type: 'image/svg+xml', text: () => readDoc('site/icon.svg') },
  { path: '/docs/sections.js', type: 'text/javascript', text: writeSections },
  ...GUIDES.map((guide): Page => ({ path: `/docs/${guide.name}`, type: 'text/html', text: () => renderGuide(guide) })),
]

/** Writes the sections that can be searched as a JavaScript module, because only the pages of `/docs` use them. */
async function writeSections(): Promise<string> {
  return `export const sections = ${JSON.stringify(await listSections())}\n`
}

/** Writes requests with their answers, which `npm run docs` has recorded, as a JavaScript module. */
async function writeExamples(): Promise<string> {
  return `export const examples = ${await readDoc('generated/examples.json')}`
}

/**
 * Serves the documentation at `/docs` to everybody, from files of this program only; each page is built once. `base` is the
 * path under which browsers reach the service.
 */
export function mountDocs(server: FastifyInstance, base: string): void {
  for (const { path, type, text } of PAGES) {
    let known: Promise<string> | undefined
    const urls = type === 'text/html' ? [path, `${path}/`] : [path]
    for (const url of urls) {
      server.get(url, async (request, reply) => {
        known ??= text()
        setHeader(reply, 'content-type', `${type}; charset=utf-8`)
        const body = type === 'text/html' ? withBase(await known, baseOf(request, base)) : await known
        return reply.header('cache-control', 'max-age=300').send(body)
      })
    }
  }
}
