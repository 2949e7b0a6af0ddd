import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../errors.ts'
import { ROOT } from '../root.ts'

/** A file that anybody may read at `/docs/<name>`. */
interface Page {
  readonly name: string
  readonly file: string
  readonly type: 'text/html' | 'text/css' | 'text/javascript' | 'image/svg+xml'
  /** A guide written in Markdown, shown inside the frame of the pages. */
  readonly title?: string
}

const PAGES: readonly Page[] = [
  { name: '', file: 'site/index.html', type: 'text/html' },
  { name: 'app.js', file: 'site/app.js', type: 'text/javascript' },
  { name: 'theme.js', file: 'site/theme.js', type: 'text/javascript' },
  { name: 'style.css', file: 'site/style.css', type: 'text/css' },
  { name: 'icon.svg', file: 'site/icon.svg', type: 'image/svg+xml' },
  { name: 'search', file: 'search.md', type: 'text/html', title: 'Search language' },
  { name: 'templates', file: 'templates.md', type: 'text/html', title: 'Templates' },
  { name: 'configuration', file: 'configuration.md', type: 'text/html', title: 'Configuration' },
  { name: 'settings', file: 'generated/settings.md', type: 'text/html', title: 'Settings' },
  { name: 'permissions', file: 'generated/permissions.md', type: 'text/html', title: 'Permissions' },
]

/** The documentation for people at `/docs`, without login and without a network: files of this program only. */
export function mountDocs(server: FastifyInstance): void {
  for (const page of PAGES) {
    let text: Promise<string> | undefined
    const path = page.name === '' ? '/docs' : `/docs/${page.name}`
    const urls = page.type === 'text/html' ? [path, `${path}/`] : [path]
    for (const url of urls) {
      server.get(url, async (_request, reply) => {
        text ??= render(page)
        return reply
          .type(`${page.type}; charset=utf-8`)
          .header('cache-control', 'max-age=300')
          .send(await text)
      })
    }
  }
}

async function render({ file, title }: Page): Promise<string> {
  const text = await read(file)
  if (title === undefined) return text
  const [frame, { marked }] = await Promise.all([read('site/guide.html'), import('marked')])
  const content = withAnchors(await marked.parse(text))
  return frame.replace('{title}', title).replace('{content}', () => content)
}

/** Headings can be linked to: `## Free text` is `#free-text`. */
function withAnchors(html: string): string {
  return html.replace(/<h([2-4])>(.*?)<\/h\1>/g, (_, level: string, text: string) => {
    const id = text
      .replace(/<[^>]*>|&\w+;/g, '')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
    return `<h${level} id="${id}">${text}</h${level}>`
  })
}

/** Files stand beside the program, built or not. */
async function read(file: string): Promise<string> {
  try {
    return await readFile(new URL(`docs/${file}`, ROOT), 'utf8')
  } catch (cause) {
    throw new Failure('unroutable', 'Not Found', {}, { cause })
  }
}
