/** A difference between two answers that says nothing about the records. */
export interface Ignorable {
  /** The last key of the path of a value. */
  readonly key: RegExp
  readonly reason: string
}

/** Differences of values that two servers always have. Keys that only our answers have are ignored, too: clients skip them. */
export const IGNORABLE: readonly Ignorable[] = [
  { key: /^id$/, reason: 'each server numbers its records itself' },
  { key: /^(?:created_at|updated_at|last_login_on)$/, reason: 'each server notes its own times' },
  { key: /^(?:sort|search|order|per_page|page|permissions|can_\w+|selectable)$/, reason: 'about the list' },
  { key: /^(?:total|full_result)$/, reason: 'about the list; subtotal counts what was found' },
  { key: /^(?:checksum|etag|request_id|task_id|pulp_href|cp_id|candlepin_id)$/, reason: 'names of internal records' },
]
