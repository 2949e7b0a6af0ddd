import type { Db } from '../../../database/sql.ts'
import type { Answer } from '../../../requests/route.ts'
import type { Form } from './answer.ts'

/** The documents that the process has cached, within limits. */
export interface KeptDocuments {
  /** The digest of a host's document, by host and kind of reader. */
  readonly digests: Map<string, KeptDigest>
  /** Answers by digest and form. */
  readonly answers: Map<string, KeptAnswer>
  /** Parts of answers, shared between them. */
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
  /** The parts of the body. */
  readonly parts: readonly string[]
}

/** About 20 MiB: documents of many hosts have most of their parts in common. */
const LIMITS = { digests: 50_000, answers: 20_000, size: 16 * 1024 * 1024 }

// One cache for each database of the process, dropped with the database.
const kept = new WeakMap<Db, KeptDocuments>()

/** The cached documents of a database. */
export function createKeptDocuments(db: Db): KeptDocuments {
  const found = kept.get(db)
  if (found) return found
  const made = { digests: new Map(), answers: new Map(), parts: new Map(), size: 0 }
  kept.set(db, made)
  return made
}

/** Drops all cached documents of a database. */
export function forgetDocuments(db: Db): void {
  kept.delete(db)
}

/** Stores the digest of a document with the signature of its host, which tells whether the digest is current. */
export function keepDigest({ digests }: KeptDocuments, key: string, digest: KeptDigest): void {
  if (digests.size >= LIMITS.digests) digests.clear()
  digests.set(key, digest)
}

/** Finds the cached answer with the document of this digest; null without one. */
export function findAnswer({ answers }: KeptDocuments, digest: string, form: Form): Answer | null {
  const found = answers.get(keyOf(digest, form))
  return found ? { status: 200, headers: found.headers, body: found.parts.join('') } : null
}

/** Stores an answer. Answers without a document have no ETag and are not stored. */
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
    const copy = Buffer.from(part).toString() // a copy, because a slice would keep the whole text in memory
    parts.set(copy, copy)
    documents.size += copy.length
    return copy
  })
  answers.set(keyOf(digest, form), { headers, parts: shared })
}

function keyOf(digest: string, { format, called }: Form): string {
  return `${digest}-${format}-${called('millwright_env')}`
}

/** Splits a document before each class in YAML, because hosts of a group have mostly equal classes. */
function partsOf(text: string): readonly string[] {
  return text.split(/^(?= {2}\S)/m)
}
