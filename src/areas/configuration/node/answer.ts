import { formatNodeJson, formatNodeYaml } from '../../../classification/output.ts'
import { hasAlready } from '../../../lib/values.ts'
import type { Answer } from '../../../requests/route.ts'
import type { NodeContext } from './catalog.ts'
import { computeClassification } from './classify.ts'
import type { PreparedNode } from './prepare.ts'

/** Format of a document, and the names of the built-in parameters in it. */
export interface Form {
  readonly format: Format
  readonly called: (parameter: string) => string
}

/** Formats of documents; `page` is for people, `data` is wrapped by the API. */
export type Format = 'yml' | 'json' | 'page' | 'data'

/**
 * Answers the document of a host, or 304 if the client has it, which needs no computation. A failed classification is
 * answered by 412 with the reasons, one a line, or as a JSON error (smart-parameters §5.1).
 */
export function answerNode(
  { encryption }: NodeContext,
  prepared: PreparedNode,
  { format, called }: Form,
  known: unknown,
): Answer {
  const unchanged = answerUnchanged(prepared.digest, format, known)
  if (unchanged) return unchanged
  const etag = etagOf(prepared.digest, format)
  const { document, failures, isFleeting } = computeClassification(prepared, encryption.decrypt)
  if (document === null) return answerRefusal(failures, format)
  const parameters = new Map([...document.parameters].map(([name, value]) => [called(name), value]))
  const body = { yml: formatNodeYaml, json: formatNodeJson, page: pageOf, data: dataOf }[format]({
    ...document,
    parameters,
  })
  const headers = { 'content-type': MEDIA[format], 'cache-control': isFleeting ? 'no-store' : CACHE }
  return { status: 200, headers: isFleeting ? headers : { ...headers, etag }, body }
}

/** Answers 304 if the client has the document with this digest, according to the ETags in `known`; null otherwise. */
export function answerUnchanged(digest: string, format: Format, known: unknown): Answer | null {
  const etag = etagOf(digest, format)
  return hasAlready(known, etag) ? { status: 304, headers: { etag, 'cache-control': CACHE } } : null
}

function etagOf(digest: string, format: Format): string {
  return `"${digest}-${format}"`
}

/** The 404 for an unknown host, in the form that standard scripts expect. */
export function answerMissingNode(name: string, format: Format): Answer {
  if (format === 'yml') return { status: 404, headers: { 'content-type': MEDIA.yml }, body: '' }
  if (format === 'page')
    return { status: 404, headers: { 'content-type': MEDIA.page }, body: formatPage('Not found', '') }
  return { status: 404, body: { error: { message: `Resource host not found by id '${name}'` } } }
}

const CACHE = 'max-age=0, private, must-revalidate'
const MEDIA = {
  yml: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  page: 'text/html; charset=utf-8',
  data: 'application/json; charset=utf-8',
} as const

function answerRefusal(failures: readonly string[], format: Format): Answer {
  const text = failures.join('\n')
  const plain = { 'content-type': MEDIA[format], 'cache-control': 'no-store' }
  if (format === 'yml') return { status: 412, headers: plain, body: `${text}\n` }
  if (format === 'page') return { status: 412, headers: plain, body: formatPage('Unable to generate output', text) }
  return { status: 412, headers: plain, body: { error: { message: text } } }
}

function pageOf(document: Parameters<typeof formatNodeYaml>[0]): string {
  return formatPage('Classification', formatNodeYaml(document))
}

function dataOf(document: Parameters<typeof formatNodeJson>[0]): string {
  return `{"data":${formatNodeJson(document)}}`
}

function formatPage(title: string, text: string): string {
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><pre>${escapeHtml(text)}</pre></body></html>\n`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
