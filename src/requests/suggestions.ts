import { z } from 'zod'
import { contextQuery, textParameter } from './paging.ts'

/** The schema of the query of a request that completes a search. */
export const suggestionQuery = z.object({ ...contextQuery, search: textParameter('Text typed so far.') })

const suggestion = z.object({
  completed: z.string().meta({ description: 'Text before the part that is being typed.' }),
  part: z.string().meta({ description: 'The part that is being typed, completed.' }),
  label: z.string().meta({ description: 'The whole search, completed.' }),
  category: z.string().meta({ description: '`Operators` for not, has, and, or; else blank.' }),
})
const failed = z.object({ error: z.string().meta({ description: 'Error in the search typed so far.' }) })

/** The schema of its answer: how the search could go on, or the error in it. */
export const suggestionAnswer = z.array(z.union([suggestion, failed]))
