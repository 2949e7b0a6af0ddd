import { randomUUID } from 'node:crypto'
import type { Stage } from './data.ts'

/** Sends a request, and yields the parsed answer. {@throws Error} on an answer other than 2xx */
export type Send = (method: string, path: string, body?: object) => Promise<Sent>

/** The keys of answers that are read here. */
export interface Sent {
  readonly id: number
  readonly token_value: string
  readonly results: readonly { readonly id: number; readonly body: { readonly id: number } }[]
}

/** Yields the function that sends requests with these credentials to a port. */
export function sendTo(port: number, authorization: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Sent
  }
}

/** Creates a token of the administrator, and yields the function that sends requests with it. */
export async function authenticateAdministrator(port: number, stage: Pick<Stage, 'env'>): Promise<Send> {
  return sendTo(port, `Bearer ${await createAdministratorToken(port, stage)}`)
}

/** Creates a token of the administrator. */
export async function createAdministratorToken(port: number, { env }: Pick<Stage, 'env'>): Promise<string> {
  const { MILLWRIGHT_ADMIN_LOGIN: login, MILLWRIGHT_ADMIN_PASSWORD: password } = env
  const ask = sendTo(port, `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`)
  const { results } = await ask('GET', `/api/users?search=${encodeURIComponent(`login = ${login}`)}`)
  const path = `/api/users/${results[0]?.id}/personal_access_tokens`
  return (await ask('POST', path, { name: `bench ${randomUUID()}` })).token_value
}

/** Adds how long the work took to the times, in milliseconds. */
export async function timeWork<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  times.push(performance.now() - start)
  return result
}
