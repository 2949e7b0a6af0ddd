import { readFile } from 'node:fs/promises'
import { Failure } from '../errors.ts'
import { ROOT } from '../root.ts'

/** A text for people, at `/docs/<name>`. */
interface Guide {
  readonly name: string
  readonly title: string
  /** Below docs/; the name, where none is said. */
  readonly file?: string
}

/** In the order in which they are wanted: to begin, to use, to run, to look up. */
export const GUIDES: readonly Guide[] = [
  { name: 'install', title: 'Install' },
  { name: 'console', title: 'The console' },
  { name: 'cli', title: 'The command line' },
  { name: 'provisioning', title: 'Describing a site' },
  { name: 'classification', title: 'Classification' },
  { name: 'config-runs', title: 'Configuration runs' },
  { name: 'content', title: 'Content' },
  { name: 'templates', title: 'Templates' },
  { name: 'search', title: 'Search language' },
  { name: 'directories', title: 'Directories' },
  { name: 'reverse-proxy', title: 'Behind a reverse proxy' },
  { name: 'backup', title: 'Back up, restore, move' },
  { name: 'scaling', title: 'More than one machine' },
  { name: 'watching', title: 'Watch' },
  { name: 'faults', title: 'Faults' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'settings', title: 'Settings', file: 'generated/settings.md' },
  { name: 'permissions', title: 'Permissions', file: 'generated/permissions.md' },
  { name: 'hammer', title: 'Scripts of hammer' },
  { name: 'compatibility', title: 'Existing clients' },
  { name: 'contract', title: 'The contract' },
  { name: 'benchmarks', title: 'Benchmarks' },
]

const PATHS: ReadonlyMap<string, string> = new Map(
  GUIDES.map(({ name, file }) => [(file ?? `${name}.md`).replace('generated/', ''), `/docs/${name}`]),
)

/** A guide as HTML inside the frame of the pages, with a list of its parts. */
export async function renderGuide({ name, title, file = `${name}.md` }: Guide): Promise<string> {
  const [frame, text, { marked }] = await Promise.all([readDoc('site/guide.html'), readDoc(file), import('marked')])
  const { html, parts } = withAnchors(withLinks(await marked.parse(text)))
  const list =
    parts.length > 2
      ? `<div class="contents" role="navigation" aria-label="On this page">${parts.map(linkOf).join('')}</div>`
      : ''
  const content = html.replace(/<\/h1>/, (end) => end + list)
  return withNavigation(frame)
    .replace('{title}', title)
    .replace('{content}', () => content)
}

/** The page with the names of all guides. */
export function withNavigation(frame: string): string {
  return frame.replace('{guides}', GUIDES.map(({ name, title }) => `<a href="/docs/${name}">${title}</a>`).join('\n  '))
}

/** A part of a guide below a heading, as searches look for it. */
interface Section {
  readonly url: string
  readonly guide: string
  readonly title: string
  readonly text: string
}

/** What all guides say, heading by heading. */
export async function listSections(): Promise<Section[]> {
  const { marked } = await import('marked')
  const found: Section[] = []
  for (const { name, title: guide, file = `${name}.md` } of GUIDES) {
    const { html } = withAnchors(await marked.parse(await readDoc(file)))
    const [beginning = '', ...rest] = html.split(/(?=<h[2-4] id=)/)
    found.push({ url: `/docs/${name}`, guide, title: guide, text: plainText(beginning) })
    for (const part of rest) {
      const [, id, title = ''] = /^<h\d id="([^"]*)">(.*?)<\/h\d>/.exec(part) ?? []
      found.push({ url: `/docs/${name}#${id}`, guide, title: plainText(title), text: plainText(part) })
    }
  }
  return found
}

function plainText(html: string): string {
  return unescaped(
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => CHARACTERS[name] ?? '')
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

interface Part {
  readonly id: string
  readonly title: string
}

function linkOf({ id, title }: Part): string {
  return `<a href="#${id}">${title}</a>`
}

/** Guides lead to each other; what else the repository has is not here, and stays a word. */
function withLinks(html: string): string {
  const shown = html.replace(/<img [^>]*>/g, '') // pictures of the console, which is there itself
  return shown.replace(/<a href="(?!https?:|\/|#|mailto:)([^"#]*)(#[^"]*)?">(.*?)<\/a>/gs, (_, path, anchor, text) => {
    const target = PATHS.get(path.replace('generated/', ''))
    return target ? `<a href="${target}${anchor ?? ''}">${text}</a>` : text
  })
}

/** Headings can be linked to: `## Free text` is `#free-text`. */
function withAnchors(html: string): { readonly html: string; readonly parts: readonly Part[] } {
  const parts: Part[] = []
  const anchored = html.replace(/<h([2-4])>(.*?)<\/h\1>/g, (_, level: string, text: string) => {
    const title = text.replace(/<[^>]*>/g, '')
    const id = title
      .replace(/&#?\w+;/g, '')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
    if (level === '2') parts.push({ id, title })
    return `<h${level} id="${id}">${text}</h${level}>`
  })
  return { html: anchored, parts }
}

/** Files stand beside the program, built or not. */
export async function readDoc(file: string): Promise<string> {
  try {
    return await readFile(new URL(`docs/${file}`, ROOT), 'utf8')
  } catch (cause) {
    throw new Failure('unroutable', 'Not Found', {}, { cause })
  }
}
