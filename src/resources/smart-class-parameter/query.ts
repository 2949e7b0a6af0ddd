import { z } from 'zod'
import type { Action } from '../../kernel/resource.ts'

/** The query keys by which hidden values are asked for. */
export const HIDDEN_QUERY: NonNullable<Action['query']> = Object.fromEntries(
  ['show_hidden', 'show_hidden_parameters'].map((name) => [
    name,
    z.string().optional().meta({ description: '`true` shows hidden values to those who may edit the parameter.' }),
  ]),
)
