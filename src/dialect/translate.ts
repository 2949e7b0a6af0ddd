import { type Members, membersOf } from '../lib/values.ts'
import type { TranslationPlan } from './plan.ts'

/** Translates a value of an answer for clients. What the plan does not name is not copied. */
export function translateAnswer(value: unknown, plan: TranslationPlan): unknown {
  if (typeof value === 'string') return plan.word ? plan.word(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => translateAnswer(item, plan))
  if (plan.each) return translateEach(membersOf(value), plan.each)
  return plan.keys ? translateMembers(membersOf(value), plan.keys) : value
}

/**
 * Translates a body of a client to our words in place, without copying: exact numbers are remembered by the object that
 * holds them (lib/lossless-json.ts), and nothing else refers to the body.
 */
export function translateBody(body: Members, plan: TranslationPlan): void {
  const members = membersOf(body) // made for this request only
  for (const [theirs, { name, plan: inner }] of plan.keys ?? []) {
    const value = members[theirs]
    if (value === undefined) continue
    if (name !== theirs) delete members[theirs]
    members[name] = inner ? readWithin(value, inner) : value
  }
  if (plan.each) for (const [key, value] of Object.entries(members)) members[key] = readWithin(value, plan.each)
}

function readWithin(value: unknown, plan: TranslationPlan): unknown {
  if (typeof value === 'string') return plan.word ? plan.word(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    translateBody(membersOf(value), plan)
    return value
  }
  for (const [index, item] of value.entries()) value[index] = readWithin(item, plan)
  return value
}

function translateEach(members: Members, plan: TranslationPlan): Members {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, translateAnswer(value, plan)]))
}

function translateMembers(members: Members, keys: NonNullable<TranslationPlan['keys']>): Members {
  const result: Record<string, unknown> = {}
  for (const key in members) {
    const part = keys.get(key)
    if (part) result[part.name] = part.plan ? translateAnswer(members[key], part.plan) : members[key]
    else result[key] = members[key]
  }
  return result
}
