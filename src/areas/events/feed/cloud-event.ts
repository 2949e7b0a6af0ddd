import { z } from 'zod'
import type { Resource } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'

const text = (description: string) => z.string().meta({ description })
const id = (description: string) => z.int().nullable().meta({ description })

const CHANGES = z.record(z.string(), z.array(z.unknown()).min(2).max(2)).meta({
  description:
    'The value before and after by field; null before a creation and after a deletion. Secrets are masked. Empty for other events.',
})

/** The schema of an event: a CloudEvent 1.0 in JSON. */
export const EVENT = z
  .object({
    specversion: z.literal('1.0').meta({ description: 'Version of CloudEvents.' }),
    id: text('Number of the event; the same whenever and wherever it is sent.'),
    source: text('Path of the feed.'),
    type: text('Kind of the event, such as `host.created` (see `/api/events/kinds`).'),
    subject: text('The record, such as `hosts/12`.'),
    time: text('Time of the event.'),
    datacontenttype: z.literal('application/json').meta({ description: 'Type of the data.' }),
    sequence: text('The number with 20 digits, so that texts sort like numbers.'),
    data: z
      .object({
        record: z
          .object({
            resource: text('Its resource, such as `host`.'),
            id: id('Its id.'),
            name: z.string().nullable().meta({ description: 'Its name at that time.' }),
          })
          .meta({ description: 'The record.' }),
        changes: CHANGES,
        user: z
          .object({
            id: id('Id of the user.'),
            login: z.string().nullable().meta({ description: 'Login at that time.' }),
          })
          .nullable()
          .meta({ description: 'The author; null if the service itself acted.' }),
        version: z.int().optional().meta({ description: 'Counts the changes of the record from 1.' }),
        comment: z.string().nullable().optional().meta({ description: 'Comment on the change.' }),
        request_id: z.string().nullable().optional().meta({ description: 'Id of the request, as in the log.' }),
        details: z
          .record(z.string(), z.unknown())
          .optional()
          .meta({ description: 'State and result of a run or task.' }),
      })
      .meta({ description: 'The record, its changes and their author.' }),
  })
  .meta({ title: 'Event', description: 'An event.' })

/** An event as the feed and webhooks have it. */
export type CloudEvent = z.output<typeof EVENT>

/** A stored event with its number. */
export interface StoredEvent {
  readonly number: number
  readonly action: string
  readonly recordId: number
  readonly recordName: string | null
  readonly userId: number | null
  readonly userLogin: string | null
  readonly time: string
  readonly noted: boolean
  /** Audited changes, or the data of a note. */
  readonly content: unknown
  readonly version: number | null
  readonly comment: string | null
  readonly requestId: string | null
}

/** Builds the event of a stored one. */
export function buildCloudEvent(type: string, resource: Resource, stored: StoredEvent): CloudEvent {
  const { number, action, recordId, recordName, userId, userLogin, noted, content, version, comment, requestId } =
    stored
  const members = isMembers(content) ? content : {}
  return {
    specversion: '1.0',
    id: String(number),
    source: '/api/events',
    type,
    subject: `${resource.plural}/${recordId}`,
    time: stored.time,
    datacontenttype: 'application/json',
    sequence: formatSequence(number),
    data: {
      record: { resource: resource.name, id: recordId, name: recordName },
      changes: noted ? {} : readChanges(action, members),
      user: userId === null ? null : { id: userId, login: userLogin },
      ...(noted ? { details: members } : { version: version ?? 0, comment, request_id: requestId }),
    },
  }
}

/** Formats a number with 20 digits. */
function formatSequence(number: number): string {
  return String(number).padStart(20, '0')
}

/** Yields the value before and after by field, from what an audit of this action has. */
export function readChanges(action: string, audited: Readonly<Record<string, unknown>>): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(audited).map(([field, value]) => {
      if (action === 'create') return [field, [null, value]]
      if (action === 'destroy') return [field, [value, null]]
      return [field, Array.isArray(value) && value.length === 2 ? value : [null, value]]
    }),
  )
}
