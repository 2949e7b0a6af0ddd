import { z } from 'zod'
import { CONFIG_CLASSES_PATH } from '../../dialect/words.ts'
import { collectFiles, type Delivered, delivered, FILE, valueFrom } from '../delivered.ts'
import { type ClassSource, type Content, type Known, SourceError } from '../source.ts'
import { ask, hashOf, jsonOf, type Reached } from './asking.ts'

const NAMES = z.array(z.string())
const FILES = z.array(FILE)
/** By full name; classes of a file that cannot be read are left out without a word. */
const CLASSES = z.array(z.record(z.string(), z.object({ params: z.record(z.string(), z.unknown()) })))

/** The classes that a smart proxy tells of (smart-parameters §6.3). */
export function proxySource(smartProxyId: number, reached: Reached): ClassSource {
  return {
    key: proxyKey(smartProxyId),
    called: reached.url,
    smartProxyId,
    async environments() {
      const answer = await ask(reached, CONFIG_CLASSES_PATH)
      return parsed(NAMES, answer.status === 200 ? jsonOf(answer, reached) : null, reached)
    },
    read: (environment, known) => read(reached, environment, known),
  }
}

/** The key of the source that a smart proxy is. */
export function proxyKey(smartProxyId: number): string {
  return `smart_proxy:${smartProxyId}`
}

/**
 * With types and files that cannot be read, from proxies that tell of them; else the plain classes, in which the default
 * `false` cannot be told from a text.
 */
async function read(reached: Reached, environment: string, { hash }: Known): Promise<Content | 'unchanged'> {
  const path = `${CONFIG_CLASSES_PATH}/${encodeURIComponent(environment)}`
  const described = await ask(reached, `${path}/classes_and_errors`)
  const answer = described.status === 200 ? described : await ask(reached, `${path}/classes`)
  const isDescribed = answer === described
  const now = hashOf(isDescribed ? 'described' : 'plain', answer.status === 200 ? answer.body : Buffer.alloc(0))
  if (now === hash) return 'unchanged'
  return { hash: now, etag: null, delivered: contentOf() }

  function contentOf(): Delivered {
    if (answer.status === 404) return delivered([]) // an environment without classes
    if (answer.status !== 200) throw new SourceError(`${reached.url} does not tell of classes`, { alone: true })
    const json = jsonOf(answer, reached)
    return isDescribed ? collectFiles(parsed(FILES, json, reached)) : plain(parsed(CLASSES, json, reached))
  }
}

function plain(classes: z.infer<typeof CLASSES>): Delivered {
  return delivered(
    classes.flatMap(Object.entries).map(([name, { params }]) => ({
      name,
      parameters: Object.entries(params).map(([parameter, value]) => ({
        name: parameter,
        value: valueFrom(value),
        sensitive: false,
      })),
    })),
  )
}

function parsed<Schema extends z.ZodType>(schema: Schema, json: unknown, { url }: Reached): z.infer<Schema> {
  const found = schema.safeParse(json)
  if (found.success) return found.data
  throw new SourceError(`${url} answered something else than environments and classes: check its Config feature`)
}
