import { z } from 'zod'

export const SUMMARY = 'A long operation: who asked for it, how far it is, what came of it.'

const moment = (description: string) => z.string().nullable().meta({ description })

/** The keys of a task, as clients of existing servers expect them (content-api §2.10). */
export const TASK = z
  .object({
    id: z.int().meta({ description: 'Unique among tasks.' }),
    uuid: z.string().meta({ description: 'What paths may call it by, too.' }),
    label: z.string().meta({ description: 'What kind of task it is, as a word for programs.' }),
    pending: z.boolean().meta({ description: 'Whether it has not ended yet.' }),
    action: z.string().meta({ description: 'What it does, for people.' }),
    username: z.string().nullable().meta({ description: 'Login of who asked for it.' }),
    started_at: moment('When it was begun; null before that.'),
    ended_at: moment('When it had ended.'),
    duration: z.number().nullable().meta({ description: 'Seconds from begin to end, or until now.' }),
    state: z.string().meta({ description: 'planned, running or stopped.' }),
    result: z.string().meta({ description: 'pending until it has ended; success, warning, error or cancelled then.' }),
    progress: z.number().meta({ description: 'How much of it is done, from 0 to 1.' }),
    input: z.json().meta({ description: 'What it was told.' }),
    output: z.json().meta({ description: 'What came of it.' }),
    humanized: z
      .object({
        action: z.string().meta({ description: 'What it does.' }),
        input: z
          .array(
            z.tuple([
              z.string(),
              z.object({
                text: z.string().meta({ description: 'Its kind and name.' }),
                link: z.null().meta({ description: 'Always null.' }),
              }),
            ]),
          )
          .meta({ description: 'The records that it is about.' }),
        output: z.string().meta({ description: 'Always empty: see output.' }),
        errors: z.array(z.string()).meta({ description: 'What went wrong.' }),
      })
      .meta({ description: 'The same for people.' }),
    cli_example: z.null().meta({ description: 'Always null.' }),
    start_at: z.string().meta({ description: 'When it was begun, or is to begin.' }),
    available_actions: z
      .object({
        cancellable: z.boolean().meta({ description: 'Whether it can be cancelled.' }),
        resumable: z.boolean().meta({ description: 'Always false: what was interrupted goes on by itself.' }),
      })
      .meta({ description: 'What can be done about it.' }),
    organization: z
      .object({ id: z.int().meta({ description: 'Its id.' }), name: z.string().meta({ description: 'Its name.' }) })
      .nullable()
      .meta({ description: 'The organization that it is about.' }),
  })
  .meta({ title: 'Task', description: SUMMARY })
