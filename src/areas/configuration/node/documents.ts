import type { Db } from '../../../database/sql.ts'
import type { Answer } from '../../../kernel/route.ts'
import type { Form } from './answer.ts'

/** What the process keeps of the documents that it has sent: small beside what it saves, and bounded. */
export interface KeptDocuments {
  /** What the document of a host depended on, by whoever asks for it. */
  readonly digests: Map<string, KeptDigest>
  /** Answers by their digest and form. */
  readonly answers: Map<string, KeptAnswer>
  /** Parts of answers that several of them have, once. */
  readonly parts: Map<string, string>
  /** Characters in `parts`. */
  size: number
}

interface KeptDigest {
  readonly signature: string
  readonly digest: string
}

interface KeptAnswer {
  readonly headers: Answer['headers']
  /** The body, in parts. */
  readonly parts: readonly string[]
}

/** Some 20 MiB beside what every process needs: the documents of a fleet have most of their parts in common. */
const LIMITS = { digests: 50_000, answers: 20_000, size: 16 * 1024 * 1024 }

// One for each database that the process uses; gone with it.
const kept = new WeakMap<Db, KeptDocuments>()

/** What is kept of the documents of a database. */
export function keptDocuments(db: Db): KeptDocuments {
  const found = kept.get(db)
  if (found) return found
  const made = { digests: new Map(), answers: new Map(), parts: new Map(), size: 0 }
  kept.set(db, made)
  return made
}

/** Forgets all documents of a database. */
export function forgetDocuments(db: Db): void {
  kept.delete(db)
}

/** Keeps what a document depends on, until the signature of its host is another one. */
export function keepDigest({ digests }: KeptDocuments, key: string, digest: KeptDigest): void {
  if (digests.size >= LIMITS.digests) digests.clear()
  digests.set(key, digest)
}

/** The answer with the document of this digest, if it is kept. */
export function findAnswer({ answers }: KeptDocuments, digest: string, form: Form): Answer | null {
  const found = answers.get(keyOf(digest, form))
  return found ? { status: 200, headers: found.headers, body: found.parts.join('') } : null
}

/** Keeps an answer that may be sent again: whatever is no document has no ETag. */
export function keepAnswer(documents: KeptDocuments, digest: string, form: Form, answer: Answer): void {
  const { status, headers, body } = answer
  if (status !== 200 || headers?.etag === undefined || typeof body !== 'string') return
  const { answers, parts } = documents
  if (answers.size >= LIMITS.answers || documents.size >= LIMITS.size) {
    answers.clear()
    parts.clear()
    documents.size = 0
  }
  const shared = partsOf(body).map((part) => {
    const known = parts.get(part)
    if (known !== undefined) return known
    const copy = Buffer.from(part).toString() // a cut of a text keeps all of it in memory
    parts.set(copy, copy)
    documents.size += copy.length
    return copy
  })
  answers.set(keyOf(digest, form), { headers, parts: shared })
}

function keyOf(digest: string, { format, called }: Form): string {
  return `${digest}-${format}-${called('millwright_env')}`
}

/** Cut before each class of YAML: hosts of one group have most of their classes with the same values. */
function partsOf(text: string): readonly string[] {
  return text.split(/^(?= {2}\S)/m)
}
