import type { Context } from '../../../context.ts'
import type { FieldErrors } from '../../../errors.ts'

const DAY_MS = 86_400_000

/** Checks when a token is to end: not in the past, and not later than the setting `personal_access_token_days` allows. */
export function validateEnd({ now, settings }: Context, end: unknown): FieldErrors | undefined {
  const days = settings.personal_access_token_days
  if (typeof end !== 'string')
    return days === 0 ? undefined : { expires_at: [`can't be blank: tokens end after ${days} days at the latest`] }
  const left = Date.parse(end) - now().getTime()
  if (left <= 0) return { expires_at: ['cannot be in the past'] }
  return days > 0 && left > days * DAY_MS ? { expires_at: [`must be within ${days} days`] } : undefined
}
