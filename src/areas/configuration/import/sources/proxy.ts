import { z } from 'zod'
import { CONFIG_CLASSES_PATH } from '../../../../words/protocols.ts'
import { collectFiles, type Delivered, FILE, normalizeDelivered, parseDefaultValue } from '../delivered.ts'
import { type ClassSource, type Content, type RememberedContent, SourceError } from '../source.ts'
import { computeContentHash, fetchPage, parseJsonAnswer, type SourceTransport } from './asking.ts'

const NAMES = z.array(z.string())
const FILES = z.array(FILE)
/** The schema of classes by full name; classes in unreadable files are missing without notice. */
const CLASSES = z.array(z.record(z.string(), z.object({ params: z.record(z.string(), z.unknown()) })))

/** Creates the source for the classes of a smart proxy (smart-parameters §6.3). */
export function createProxySource(smartProxyId: number, reached: SourceTransport): ClassSource {
  return {
    key: proxyKeyOf(smartProxyId),
    label: reached.url,
    smartProxyId,
    async environments() {
      const answer = await fetchPage(reached, CONFIG_CLASSES_PATH)
      return parseAnswer(NAMES, answer.status === 200 ? parseJsonAnswer(answer, reached) : null, reached)
    },
    read: (environment, known) => read(reached, environment, known),
  }
}

/** The key of a smart proxy as a source. */
export function proxyKeyOf(smartProxyId: number): string {
  return `smart_proxy:${smartProxyId}`
}

/**
 * Reads an environment: from proxies that describe classes with types and unreadable files, else plain classes, in which
 * the default `false` looks like text.
 */
async function read(
  reached: SourceTransport,
  environment: string,
  { hash }: RememberedContent,
): Promise<Content | 'unchanged'> {
  const path = `${CONFIG_CLASSES_PATH}/${encodeURIComponent(environment)}`
  const described = await fetchPage(reached, `${path}/classes_and_errors`)
  const answer = described.status === 200 ? described : await fetchPage(reached, `${path}/classes`)
  const isDescribed = answer === described
  const now = computeContentHash(
    isDescribed ? 'described' : 'plain',
    answer.status === 200 ? answer.body : Buffer.alloc(0),
  )
  if (now === hash) return 'unchanged'
  return { hash: now, etag: null, delivered: contentOf() }

  function contentOf(): Delivered {
    if (answer.status === 404) return normalizeDelivered([]) // an environment without classes
    if (answer.status !== 200) throw new SourceError(`${reached.url} does not tell of classes`, { alone: true })
    const json = parseJsonAnswer(answer, reached)
    return isDescribed
      ? collectFiles(parseAnswer(FILES, json, reached))
      : toDelivered(parseAnswer(CLASSES, json, reached))
  }
}

function toDelivered(classes: z.infer<typeof CLASSES>): Delivered {
  return normalizeDelivered(
    classes.flatMap(Object.entries).map(([name, { params }]) => ({
      name,
      parameters: Object.entries(params).map(([parameter, value]) => ({
        name: parameter,
        value: parseDefaultValue(value),
        sensitive: false,
      })),
    })),
  )
}

function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  { url }: SourceTransport,
): z.infer<Schema> {
  const found = schema.safeParse(json)
  if (found.success) return found.data
  throw new SourceError(`${url} answered something else than environments and classes: check its Config feature`)
}
