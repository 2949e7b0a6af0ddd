import { z } from 'zod'
import { CONFIG_SERVER_SETTING, SERVER_CLASSES_PATH, SERVER_ENVIRONMENTS_PATH } from '../../../../words/protocols.ts'
import { collectFiles, FILE, normalizeDelivered } from '../delivered.ts'
import { type ClassSource, type Content, type RememberedContent, SourceError } from '../source.ts'
import { computeContentHash, fetchPage, parseJsonAnswer, type SourceTransport } from './asking.ts'

const ENVIRONMENTS = z.object({ environments: z.record(z.string(), z.unknown()) })
const CLASSES = z.object({ files: z.array(FILE) })

/**
 * Creates the source for the classes of a server of the configuration engine (smart-parameters §9.3.3). If the server
 * caches classes, it is only asked whether they have changed.
 */
export function createServerSource(
  identity: Pick<ClassSource, 'key' | 'smartProxyId'>,
  reached: SourceTransport,
): ClassSource {
  return {
    ...identity,
    label: reached.url,
    async environments() {
      const answer = await fetchPage(reached, SERVER_ENVIRONMENTS_PATH)
      const found = ENVIRONMENTS.safeParse(answer.status === 200 ? parseJsonAnswer(answer, reached) : null)
      if (!found.success) throw createStrangeAnswer(reached)
      return Object.keys(found.data.environments)
    },
    read: (environment, known) => read(reached, environment, known),
  }
}

/** The URL of the server that a smart proxy advertises in its settings; null without one. */
export function serverUrlOf(settings: Readonly<Record<string, unknown>>): string | null {
  const url = String(settings[CONFIG_SERVER_SETTING] ?? '')
  return /^(https?:\/\/[^\s/?#@]+)\/*$/.exec(url)?.[1] ?? null
}

async function read(
  reached: SourceTransport,
  environment: string,
  known: RememberedContent,
): Promise<Content | 'unchanged'> {
  const path = `${SERVER_CLASSES_PATH}?environment=${encodeURIComponent(environment)}`
  const isKnown = known.hash !== null && known.etag !== null
  const answer = await fetchPage(reached, path, isKnown && known.etag ? { 'if-none-match': known.etag } : {})
  if (answer.status === 304) return 'unchanged'
  const hash = computeContentHash('server', answer.status === 200 ? answer.body : Buffer.alloc(0))
  if (hash === known.hash) return 'unchanged'
  if (answer.status === 404) return { hash, etag: null, delivered: normalizeDelivered([]) }
  const found = CLASSES.safeParse(answer.status === 200 ? parseJsonAnswer(answer, reached) : null)
  if (!found.success) throw createStrangeAnswer(reached)
  return { hash, etag: answer.etag, delivered: collectFiles(found.data.files) }
}

function createStrangeAnswer({ url }: SourceTransport): SourceError {
  return new SourceError(`${url} answered something else than environments and classes`)
}
