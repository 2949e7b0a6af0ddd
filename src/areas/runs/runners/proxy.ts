import { randomUUID } from 'node:crypto'
import { urlToHttpOptions } from 'node:url'
import { CONFIG_ENGINE_PATH } from '../../../words/protocols.ts'
import {
  buildTimeoutTrouble,
  formatTrouble,
  type ProxyAnswer,
  sendRequest,
  type Trouble,
  trustOf,
} from '../../proxies/index.ts'
import { buildCancellation, buildFailure, buildSuccess } from './outcome.ts'
import { problemOfAnswer } from './proxy-answer.ts'
import type { ProxyRunner, RunOptions, RunOutcome, RunTarget } from './runner.ts'

/**
 * Asks a smart proxy to run the configuration of a host and waits for the answer (core-api §1.5): one POST on a
 * connection of its own, without redirections. The answer is added to the output.
 */
export async function runThroughProxy(
  runner: ProxyRunner,
  target: RunTarget,
  options: RunOptions,
): Promise<RunOutcome> {
  const url = parseUrl(runner.url)
  if (!url)
    return buildFailure({ reason: 'settings', detail: 'the URL is not one of http:// or https://' }, createFrame(null))
  const trust = url.protocol === 'https:' ? trustOf(runner.tls) : null
  if (trust === 'unreadable') return buildFailure({ reason: 'tls_settings' }, createFrame(url))
  const end = await sendRequest({
    to: addressOf(url, runner.path ?? CONFIG_ENGINE_PATH),
    trust,
    through: runner.through ?? null,
    form: new URLSearchParams({ nodes: target.host }),
    headers: { accept: 'application/json', 'x-request-id': options.requestId ?? randomUUID() },
    timeoutMs: runner.timeoutMs,
    signal: options.signal,
    onBody: (chunk) => options.write('stdout', chunk),
  })
  noteContact(runner, end)
  if ('cancelled' in end) return buildCancellation(end.sent, 'the proxy may go on with the run')
  const trouble = troubleOf(end, runner)
  return trouble ? buildFailure(trouble, createFrame(url)) : buildSuccess()
}

/** Remembers whether the proxy answered. A run that only takes too long proves nothing about the proxy. */
function noteContact({ url, contacts, timeoutMs }: ProxyRunner, end: End | { readonly cancelled: true }): void {
  if ('status' in end) contacts?.succeeded(url)
  else if ('trouble' in end) contacts?.failed(url, formatTrouble(end.trouble))
  else if ('late' in end && !end.sent) contacts?.failed(url, formatTrouble(buildTimeoutTrouble(timeoutMs, false)))
}

type End = ProxyAnswer | { readonly trouble: Trouble } | { readonly late: true; readonly sent: boolean }

function troubleOf(end: End, { timeoutMs }: ProxyRunner): Trouble | null {
  if ('trouble' in end) return end.trouble
  if ('late' in end) return buildTimeoutTrouble(timeoutMs, end.sent, end.sent ? undefined : 'no connection came about')
  return problemOfAnswer(end)
}

function parseUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

function addressOf(url: URL, path: string) {
  const address = new URL(url)
  address.pathname = `${withoutSlash(url.pathname)}/${path}`
  address.search = ''
  address.hash = ''
  return urlToHttpOptions(address)
}

/** Creates the frame of messages that clients know, without user, password and parameters of the URL. */
function createFrame(url: URL | null): (sentence: string, reason: string) => string {
  const shown = url ? `${url.protocol}//${url.host}${withoutSlash(url.pathname)}` : 'without a usable URL'
  return (sentence, reason) => `Unable to execute config run ([${reason}]: ${sentence}) for proxy ${shown}`
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
