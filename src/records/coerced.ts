import { z } from 'zod'
import type { Field, WritableKey } from '../kernel/index.ts'
import { readFlag } from '../lib/values.ts'
import { sql } from '../sql.ts'

/** The field, stored in lower case; blank text becomes null where null is allowed. */
export function lowerCase<F extends Field<string | null>>(field: F): F {
  return withCoercion(field, (value) => (value === '' && !field.required ? null : value.toLowerCase()))
}

/** The field, stored with the first letter in upper case and the others in lower case. */
export function capitalized<F extends Field<string | null>>(field: F): F {
  return withCoercion(field, (value) => value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase())
}

/** The field, which has this value in a new record when the request has none: the schema says so to forms and clients. */
export function initially<F extends Field>(field: F, initial: number | string): F {
  return withWritable(field, () => ({ initial }))
}

/** The field; blank text becomes null. */
export function blankAsNull<F extends Field>(field: F): F {
  return withCoercion(field, (value) => (value === '' ? null : value))
}

function withCoercion<F extends Field>(field: F, change: (value: string) => string | null): F {
  return withWritable(field, ({ coerce }) => ({
    coerce: (sent) => {
      const value = coerce ? coerce(sent) : sent
      return typeof value === 'string' ? change(value) : value
    },
  }))
}

/** The field, whose writable keys have other facts. */
export function withWritable<F extends Field>(field: F, change: (writable: WritableKey) => Partial<WritableKey>): F {
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(
        Object.entries(field.writable(at)).map(([key, writable]) => [key, { ...writable, ...change(writable) }]),
      ),
  }
}

/** The field, which is null until a value is sent. */
export function unset(field: Field<boolean>): Field<boolean | null> {
  return {
    ...field,
    column: ({ name }) => ({ name, type: 'boolean', nullable: true }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.boolean().nullable().meta({ description: field.doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    read: async (_ctx, { name }, sent) => readFlag(sent, name), // null stays null
  }
}
