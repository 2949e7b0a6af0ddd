import type { SearchField } from '../../../search/schema.ts'

/** The search field for the requester of a run or rollout, by the login at that time. */
export const requesterSearch = {
  name: 'user',
  aliases: ['requested_by'],
  type: 'text',
  column: 'requested_by',
  nullable: true,
  words: ['current_user'],
} as const satisfies SearchField
