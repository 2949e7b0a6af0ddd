import { z } from 'zod'
import { NOT_IDS } from './sent.ts'

const NOT_NAMES = 'must be a list of names'
const NOT_OBJECTS = 'must be a list of objects with an id or a name'
const ID = z.int({ error: NOT_IDS }).positive(NOT_IDS)
const NAME = z.string({ error: NOT_NAMES })
const NAMED = z.object(
  {
    id: z.int({ error: NOT_OBJECTS }).optional().meta({ description: 'Its id.' }),
    name: z.string({ error: NOT_OBJECTS }).optional().meta({ description: 'Its name, where the id is not known.' }),
  },
  { error: NOT_OBJECTS },
)

/** Builds the schema of a list of ids of records. */
export function buildIdsSchema(): z.ZodArray<typeof ID> {
  return z.array(ID, { error: NOT_IDS })
}

/** Builds the schema of a list of names of records. */
export function buildNamesSchema(): z.ZodArray<typeof NAME> {
  return z.array(NAME, { error: NOT_NAMES })
}

/** Builds the schema of a list of objects that name records, each by its id or its name. */
export function buildNamedSchema(): z.ZodArray<typeof NAMED> {
  return z.array(NAMED, { error: NOT_OBJECTS })
}
