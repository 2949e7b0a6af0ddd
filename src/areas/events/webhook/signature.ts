import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Generates the secret of a webhook, in the form of Standard Webhooks. */
export function generateSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

/** What receivers check a delivery by. */
interface Signed {
  readonly id: string
  /** Seconds since 1970, of the attempt. */
  readonly timestamp: number
  readonly body: string
}

/** Signs a delivery with each of the secrets (Standard Webhooks 1.0.0: `v1`, separated by spaces). */
export function sign(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
