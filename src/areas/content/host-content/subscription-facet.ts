import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Field, FieldPosition, Unstored } from '../../../kernel/index.ts'
import { buildNestedSchema, type NestedKey, type NestedKeys, nestedOne, selectNested } from '../../../records/nested.ts'
import { formatTooLong, NOT_BOOLEAN, NOT_TEXT, toBoolean } from '../../../requests/sent.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { findOwnerById, isOffered, SUBSCRIPTION_ATTRIBUTES } from '../../registration/index.ts'
import { type ContentHost, findContentHost, recordHostChange } from './content-host.ts'

const DOC =
  'Registration and system purpose of the host. Values also apply to a later registration unless its activation keys or client set others.'

const word = (description: string) =>
  z
    .string({ error: NOT_TEXT })
    .refine((value) => [...value].length <= 255, formatTooLong(255))
    .nullable()
    .optional()
    .meta({ description })
const SENT = z
  .object({
    service_level: word('Requested service level of the host; blank or null: none.'),
    release_version: word('The release to which it is limited.'),
    purpose_usage: word('Usage, e.g. Production.'),
    purpose_role: word('Role of the host.'),
    purpose_addons: z.array(z.string().min(1).max(255)).nullable().optional().meta({ description: 'Its add-ons.' }),
    autoheal: z
      .preprocess(toBoolean, z.boolean({ error: NOT_BOOLEAN }).optional())
      .meta({ description: 'Whether the service chooses its subscriptions.' }),
  })
  .nullable()
type SubscriptionFacetBody = z.infer<typeof SENT>

/** The keys that an edit of the host can change, of its registration or for a later one. */
const CHANGED = [...SUBSCRIPTION_ATTRIBUTES, 'autoheal'] as const

/**
 * `subscription_facet_attributes` of a host (content-api §5.3): the values of its registration, or those it will
 * register with; null when there are none.
 */
export function subscriptionFacet(): Field<SubscriptionFacetBody> & Unstored {
  return {
    kind: 'subscription facet',
    doc: DOC,
    writable: ({ name }) => ({ [`${name}_attributes`]: { schema: () => SENT.meta({ description: DOC }) } }),
    readable: ({ name }) => ({ [`${name}_attributes`]: facet }),
    search: () => [],
    read: async (_ctx, { name }, sent) => sent[`${name}_attributes`] as SubscriptionFacetBody | undefined, // its schema
    saveNested: async (tx, at, host, sent) => {
      if (sent && Object.keys(sent).length > 0) await storeSent(tx, at, await findContentHost(tx, host), sent)
    },
  }
}

type RequestedValues = { readonly [Name in (typeof CHANGED)[number]]: unknown }

async function storeSent(
  tx: Context,
  at: FieldPosition,
  host: ContentHost,
  sent: NonNullable<SubscriptionFacetBody>,
): Promise<void> {
  const table = sql.table(host.registered ? 'registrations' : 'host_wishes')
  const columns = sql.join(CHANGED.map((name) => sql.ref(name)))
  const found = await row<RequestedValues>(
    tx.db,
    sql`select ${columns} from ${table} where host_id = ${host.id} for no key update`,
  )
  const before = found ?? NOTHING
  const wanted = CHANGED.flatMap((name) => (sent[name] === undefined ? [] : [[name, toStored(sent[name])] as const]))
  const changed = wanted.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
  if (changed.length === 0) return
  await refuseUnoffered(tx, host, Object.fromEntries(changed))
  const set = changed.map(([name, value]) => sql`${sql.ref(name)} = ${value}::${TYPES[name] ?? sql`text`}`)
  if (!found) await sql`insert into host_wishes (host_id) values (${host.id})`.execute(tx.db)
  await sql`update ${table} set ${sql.join([...set, sql`updated_at = now()`])} where host_id = ${host.id}`.execute(
    tx.db,
  )
  await recordHostChange(
    tx,
    at.target('host'),
    host,
    Object.fromEntries(changed.map(([name, value]) => [name, [before[name], value]] as const)),
  )
}

/** The values of a host for which none were set. */
const NOTHING: RequestedValues = {
  service_level: null,
  release_version: null,
  purpose_usage: null,
  purpose_role: null,
  purpose_addons: [],
  autoheal: true,
}

const TYPES: Readonly<Partial<Record<(typeof CHANGED)[number], Sql>>> = {
  purpose_addons: sql`text[]`,
  autoheal: sql`boolean`,
}

/** Converts blank text to null, and a list of add-ons to a sorted one without repetition. */
function toStored(value: Exclude<NonNullable<SubscriptionFacetBody>[(typeof CHANGED)[number]], undefined>): unknown {
  if (Array.isArray(value)) return [...new Set(value)].sort()
  return value === '' ? null : value
}

/** Refuses a service level that no pool of the organization offers (content-api §2.9). {@throws Failure} invalid */
async function refuseUnoffered(
  tx: Context,
  host: ContentHost,
  { service_level: level }: Partial<RequestedValues>,
): Promise<void> {
  if (typeof level !== 'string' || host.organization_id === null) return
  const owner = await findOwnerById(tx.db, host.organization_id)
  if (isOffered(owner.service_levels, level)) return
  const message = `Service level "${level}" is not available to units of organization ${owner.label}.`
  const errors: FieldErrors = { base: [message] }
  throw invalid(errors, host.id)
}

const text = (description: string) => z.string().nullable().meta({ description })
const asked = (schema: z.ZodType, name: (typeof CHANGED)[number]): NestedKey => [
  schema,
  sql`case when r.host_id is null then ${sql.ref(`w.${name}`)} else ${sql.ref(`r.${name}`)} end`,
]
const time = (description: string, column: string): NestedKey => [
  text(description),
  selectMoment(sql.ref(`r.${column}`)),
]
const named = (): NestedKeys => ({
  id: [z.int().meta({ description: 'Its id.' }), sql`k.id`],
  name: [z.string().meta({ description: 'Its name.' }), sql`k.name`],
})
const user = (): NestedKeys => ({
  id: [z.int().meta({ description: 'Id.' }), sql`u.id`],
  login: [z.string().meta({ description: 'Login.' }), sql`u.login`],
})
const none: NestedKey = [z.null().meta({ description: 'Always null.' }), sql`null`]

/** The facet of a host in answers. */
const facet = nestedOne(
  'Its registration or system purpose; null without either.',
  (own) => ({
    keys: {
      host_type: none,
      dmi_uuid: [text('UUID that the hardware reports (DMI).'), sql`r.system_uuid`],
      id: [z.int().meta({ description: 'Id of the host.' }), own('id')],
      uuid: [
        text(
          'UUID of the registration, here or with the server that it comes from; null if the host is not registered.',
        ),
        sql`coalesce(r.uuid, w.former_uuid)`,
      ],
      last_checkin: time('Time of the last check-in.', 'last_checkin'),
      service_level: asked(text('Service level.'), 'service_level'),
      release_version: asked(text('The release to which it is limited.'), 'release_version'),
      purpose_usage: asked(text('Usage, e.g. Production.'), 'purpose_usage'),
      purpose_role: asked(text('Role of the host.'), 'purpose_role'),
      purpose_addons: asked(z.array(z.string()).meta({ description: 'Its add-ons.' }), 'purpose_addons'),
      autoheal: asked(z.boolean().meta({ description: 'Whether the service chooses its subscriptions.' }), 'autoheal'),
      registered_at: time('Time of the registration.', 'registered_at'),
      registered_through: [text('The name of the server that it asked.'), sql`r.registered_through`],
      hypervisor: [
        z.boolean().meta({ description: 'Whether subscriptions are for virtual machines on it alone.' }),
        sql`exists (select from subscriptions s where s.hypervisor_id = ${own('id')})`,
      ],
      user: [
        buildNestedSchema(user())
          .nullable()
          .meta({ description: 'The user who registered it; null where it was a key.' }),
        sql`(select ${selectNested(user())} from users u where u.id = r.user_id)`,
      ],
      virtual_host: none,
      virtual_guests: [z.array(buildNestedSchema(named())).meta({ description: 'Always empty.' }), sql`'[]'::json`],
      installed_products: [
        z.json().meta({ description: 'Products that it says it has.' }),
        sql`coalesce(r.installed_products, '[]')`,
      ],
      activation_keys: [
        z
          .array(buildNestedSchema(named()))
          .meta({ description: 'The keys that it was registered with, in their order.' }),
        sql`coalesce((
        select json_agg(${selectNested(named())} order by l.position, k.id)
        from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id where l.host_id = r.host_id), '[]')`,
      ],
      compliance_reasons: [z.array(z.string()).meta({ description: 'Always empty.' }), sql`'[]'::json`],
    },
    from: sql`(select) one left join registrations r on r.host_id = ${own('id')} left join host_wishes w on w.host_id = ${own('id')}
    where r.host_id is not null or w.host_id is not null`,
  }),
  { nullable: true },
)
