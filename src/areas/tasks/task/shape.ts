import { z } from 'zod'
import {
  buildNestedSchema,
  buildStatedSchema,
  type NestedKeys,
  type Own,
  type StatedKeys,
  selectNested,
  statedObject,
} from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'

/** The description of tasks in the API. */
export const SUMMARY = 'A long operation, with its requester, progress and result.'

const moment = (description: string) => z.string().nullable().meta({ description })

const SUBJECT = z.object({
  text: z.string().meta({ description: 'Its kind and name.' }),
  link: z.null().meta({ description: 'Always null.' }),
})

const ORGANIZATION: NestedKeys = {
  id: [z.int().meta({ description: 'Its id.' }), sql`o.id`],
  name: [z.string().meta({ description: 'Its name.' }), sql`o.name`],
}

/** The keys of a task, as clients of existing servers expect them (content-api §2.10). */
export const TASK_KEYS: StatedKeys<Own> = {
  id: [z.int().meta({ description: 'Unique among tasks.' }), (t) => t('id')],
  uuid: [z.string().meta({ description: 'UUID of the task; paths accept it instead of the id.' }), (t) => t('uuid')],
  label: [z.string().meta({ description: 'Kind of the task, as a word for programs.' }), (t) => t('kind')],
  pending: [z.boolean().meta({ description: 'Whether it has not ended yet.' }), (t) => sql`${t('state')} <> 'stopped'`],
  action: [z.string().meta({ description: 'Description of the task.' }), (t) => t('action')],
  username: [z.string().nullable().meta({ description: 'Login of the user who requested it.' }), (t) => t('username')],
  started_at: [moment('Time of the start; null before that.'), (t) => t('started_at')],
  ended_at: [moment('Time of the end.'), (t) => t('ended_at')],
  duration: [
    z.number().nullable().meta({ description: 'Seconds from begin to end, or until now.' }),
    (t) => sql`round(extract(epoch from coalesce(${t('ended_at')}, now()) - ${t('started_at')}), 3)::double precision`,
  ],
  state: [z.string().meta({ description: 'planned, running or stopped.' }), (t) => t('state')],
  result: [
    z.string().meta({ description: 'pending until its end; then success, warning, error or cancelled.' }),
    (t) => t('result'),
  ],
  progress: [
    z.number().meta({ description: 'Progress, from 0 to 1.' }),
    (t) => sql`${t('progress')}::double precision`,
  ],
  input: [z.json().meta({ description: 'Input of the task.' }), (t) => t('input')],
  output: [z.json().meta({ description: 'Output of the task.' }), (t) => t('output')],
  humanized: statedObject('The same for people.', {
    action: [z.string().meta({ description: 'Name of the action.' }), (t) => t('action')],
    input: [
      z.array(z.tuple([z.string(), SUBJECT])).meta({ description: 'The records that it is about.' }),
      () => sql`'[]'::json`,
    ],
    output: [z.string().meta({ description: 'Always empty: see output.' }), () => sql.lit('')],
    errors: [z.array(z.string()).meta({ description: 'Error messages.' }), (t) => t('errors')],
  }),
  cli_example: [z.null().meta({ description: 'Always null.' }), () => sql`null`],
  start_at: [
    z.string().meta({ description: 'Time of the start, or the planned one.' }),
    (t) => sql`coalesce(${t('started_at')}, ${t('created_at')})`,
  ],
  available_actions: statedObject('Actions that are possible now.', {
    cancellable: [
      z.boolean().meta({ description: 'Whether it can be cancelled.' }),
      (t) => sql`${t('state')} <> 'stopped' and not ${t('cancel_requested')}`,
    ],
    resumable: [
      z.boolean().meta({ description: 'Always false: what was interrupted goes on by itself.' }),
      () => sql`false`,
    ],
  }),
  organization: [
    buildNestedSchema(ORGANIZATION).nullable().meta({ description: 'Its organization.' }),
    (t) => sql`(select ${selectNested(ORGANIZATION)} from organizations o where o.id = ${t('organization_id')})`,
  ],
}

/** The schema of a task. */
export const TASK = buildStatedSchema(TASK_KEYS).meta({ title: 'Task', description: SUMMARY })
