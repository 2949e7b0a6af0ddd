import { readFile } from 'node:fs/promises'
import { Failure } from '../../errors.ts'
import { ROOT } from '../../root.ts'

/** A guide at `/docs/<name>`. */
interface Guide {
  readonly name: string
  readonly title: string
  /** The file below docs/; by default `<name>.md`. */
  readonly file?: string
}

/** The guides in reading order: getting started, using, operating, reference. */
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
  { name: 'access', title: 'Access' },
  { name: 'reverse-proxy', title: 'Behind a reverse proxy' },
  { name: 'backup', title: 'Back up, restore, move' },
  { name: 'scaling', title: 'More than one machine' },
  { name: 'watching', title: 'Watch' },
  { name: 'events', title: 'Events' },
  { name: 'faults', title: 'Faults' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'settings', title: 'Settings', file: 'generated/settings.md' },
  { name: 'permissions', title: 'Permissions', file: 'generated/permissions.md' },
  { name: 'switching', title: 'Switch from a running server' },
  { name: 'shadow', title: 'Beside an old server' },
  { name: 'hammer', title: 'Scripts of hammer' },
  { name: 'compatibility', title: 'Existing clients' },
  { name: 'contract', title: 'The contract' },
  { name: 'benchmarks', title: 'Benchmarks' },
]

const PATHS: ReadonlyMap<string, string> = new Map(
  GUIDES.map(({ name, file }) => [(file ?? `${name}.md`).replace('generated/', ''), `/docs/${name}`]),
)

/** Renders a guide as HTML inside the frame of the pages, with a table of contents from three headings on. */
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

/** Adds the list of all guides to the frame of the pages. */
export function withNavigation(frame: string): string {
  return frame.replace('{guides}', GUIDES.map(({ name, title }) => `<a href="/docs/${name}">${title}</a>`).join('\n  '))
}

/** A part of a guide for searches: what stands below a heading, or before the first one, as plain text. */
interface Section {
  readonly url: string
  readonly guide: string
  readonly title: string
  readonly text: string
}

/** Lists the sections of all guides, in reading order. */
export async function listSections(): Promise<Section[]> {
  const { marked } = await import('marked')
  const found: Section[] = []
  for (const { name, title: guide, file = `${name}.md` } of GUIDES) {
    const { html } = withAnchors(await marked.parse(await readDoc(file)))
    const [beginning = '', ...rest] = html.split(/(?=<h[2-4] id=)/)
    found.push({ url: `/docs/${name}`, guide, title: guide, text: toPlainText(beginning) })
    for (const part of rest) {
      const [, id, title = ''] = /^<h\d id="([^"]*)">(.*?)<\/h\d>/.exec(part) ?? []
      found.push({ url: `/docs/${name}#${id}`, guide, title: toPlainText(title), text: toPlainText(part) })
    }
  }
  return found
}

function toPlainText(html: string): string {
  return unescapeHtml(
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

function unescapeHtml(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => CHARACTERS[name] ?? '')
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

interface GuidePart {
  readonly id: string
  readonly title: string
}

function linkOf({ id, title }: GuidePart): string {
  return `<a href="#${id}">${title}</a>`
}

/** Keeps links between guides; links to other files of the repository become plain text. */
function withLinks(html: string): string {
  const shown = html.replace(/<img [^>]*>/g, '') // pictures of the console are left out, because the console is at hand
  return shown.replace(/<a href="(?!https?:|\/|#|mailto:)([^"#]*)(#[^"]*)?">(.*?)<\/a>/gs, (_, path, anchor, text) => {
    const target = PATHS.get(path.replace('generated/', ''))
    return target ? `<a href="${target}${anchor ?? ''}">${text}</a>` : text
  })
}

/** Gives headings anchors: `## Free text` becomes `#free-text`. */
function withAnchors(html: string): { readonly html: string; readonly parts: readonly GuidePart[] } {
  const parts: GuidePart[] = []
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

/** Reads a file below `docs/`, beside the program, compiled or not. {@throws Failure} unroutable when there is none */
export async function readDoc(file: string): Promise<string> {
  try {
    return await readFile(new URL(`docs/${file}`, ROOT), 'utf8')
  } catch (cause) {
    throw new Failure('unroutable', 'Not Found', {}, { cause })
  }
}
