import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, selectColumns } from '../../../database/sql.ts'
import { type FieldErrors, invalid, refuseInvalid } from '../../../errors.ts'
import { type Action, type Resource, readAttributes, readBack, type Sent } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { BLANK, toInteger } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'
import { sql } from '../../../sql.ts'
import {
  createHostRecords,
  findOwnerById,
  type Pair,
  readRegistrationRequest,
  registerHost,
  VIEW_ENVIRONMENT,
} from '../../registration/index.ts'
import { requireVisible } from '../shared/visible-link.ts'

const word = (description: string) => z.string().nullable().optional().meta({ description })
const PRODUCT = z.object({
  product_id: z.string().meta({ description: 'Its id, as clients say it.' }),
  product_name: word('Its name.'),
  version: word('Its version.'),
  arch: word('Its architecture.'),
})

const BODY = z.object({
  name: word('The full name of the host; default: its fact network.hostname.'),
  lifecycle_environment_id: z.int().meta({ description: 'The environment; its organization is that of the host.' }),
  content_view_id: z.int().meta({ description: 'The content view, which the environment has a version of.' }),
  facts: z.record(z.string(), z.unknown()).optional().meta({ description: 'Its facts, by names with dots.' }),
  installed_products: z.array(PRODUCT).optional().meta({ description: 'Products installed on the host.' }),
  release_version: word('The release to which it is limited.'),
  service_level: word('Service level.'),
  purpose_usage: word('Usage, e.g. Production.'),
  purpose_role: word('Role of the host.'),
  purpose_addons: z
    .union([z.array(z.string()), z.string()])
    .optional()
    .meta({ description: 'Its add-ons: a list, or a text with commas between them.' }),
})

/**
 * `POST /api/hosts/subscriptions` (content-api §5.2): registers a host without a key, for a user who may create
 * hosts. Answers the host and its identity; the private key is shown in this answer only.
 */
export const registerByUser: Action = {
  method: 'POST',
  path: '/subscriptions',
  name: 'register',
  notInBatch: true,
  summary: 'Register a host without an activation key',
  permissions: ['create_hosts'],
  body: BODY,
  adds: {
    identity: z
      .object({
        certificate: z.string().meta({ description: 'PEM; what the host shows when it asks for something.' }),
        key: z.string().nullable().meta({ description: 'PEM; the private key of the certificate. Not kept.' }),
      })
      .meta({ description: 'Identifiers by which the host is found.' }),
  },
  handle: register,
}

async function register(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const sent = readAttributes(resource, input.body)
  const { pair, organization } = await pairOf(ctx, resource, sent)
  const records = createHostRecords(resource.registry)
  const asked = await readRegistrationRequest(inWordsOfClients(sent), records, NAME_FACT)
  const owner = await findOwnerById(ctx.db, organization)
  const { host, privateKey } = await registerHost(ctx, records, {
    owner,
    asked,
    keys: [],
    pairs: [pair],
    location: ctx.scope.location,
    through: null,
    certificate: null,
  })
  const identity = await row<{ certificate: string }>(
    ctx.db,
    sql`select certificate from registrations where host_id = ${host}`,
  )
  const shown = await readBack(ctx, resource, host)
  return { status: 200, body: { ...shown, identity: { certificate: identity?.certificate ?? '', key: privateKey } } }
}

/** Finds the content view in the environment of the request. {@throws Failure} invalid, not_found */
async function pairOf(ctx: Context, { registry }: Resource, sent: Sent): Promise<{ pair: Pair; organization: number }> {
  const errors: FieldErrors = {}
  const readId = (key: string): number => {
    const id = toInteger(sent[key])
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) errors[key] = [BLANK]
    return Number(id)
  }
  const [environment, view] = [readId('lifecycle_environment_id'), readId('content_view_id')]
  if (nameIn(sent) === null) errors.name = [BLANK]
  refuseInvalid(errors)
  for (const [name, id] of [
    ['lifecycle_environment', environment],
    ['content_view', view],
  ] as const) {
    const target = registry.get(name)
    if (target) await requireVisible(ctx, target, [id])
  }
  const found = await row<Pair & { organization: number; fits: boolean }>(
    ctx.db,
    sql`select e.organization_id as organization, ${selectColumns(VIEW_ENVIRONMENT)},
        exists (select from content_view_environments p where p.content_view_id = v.id and p.environment_id = e.id) as fits
      from lifecycle_environments e, content_views v where e.id = ${environment} and v.id = ${view}`,
  )
  if (!found?.fits) {
    const [seen, place] = [found?.content_view.name, found?.environment.name]
    throw invalid({ base: [`Content view '${seen}' is not in environment '${place}'`] })
  }
  const { organization, environment: where, content_view, label } = found
  return { pair: { environment: where, content_view, label }, organization }
}

/** The name of the host in the request, or else in its facts; null without either. */
function nameIn({ name, facts }: Sent): string | null {
  const said = name ?? (isMembers(facts) ? facts[NAME_FACT] : null)
  return typeof said === 'string' && !isBlank(said) ? said : null
}

/** The fact under which the name of the request is told. */
const NAME_FACT = 'network.hostname'

/** The request in the form that subscription clients send (content-api §5.2). */
function inWordsOfClients({ facts, installed_products: products, ...sent }: Sent): Sent {
  const list: unknown = Array.isArray(products) ? products.map(productOf) : products
  const name = nameIn({ ...sent, facts })
  return {
    facts: facts === undefined || facts === null || isMembers(facts) ? { ...facts, [NAME_FACT]: name } : facts,
    installedProducts: list,
    serviceLevel: sent.service_level,
    releaseVer: sent.release_version,
    usage: sent.purpose_usage,
    role: sent.purpose_role,
    addOns: addOnsIn(sent.purpose_addons),
  }
}

function addOnsIn(addons: unknown): unknown {
  if (typeof addons !== 'string') return addons
  return addons
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function productOf(product: unknown): unknown {
  if (!isMembers(product)) return product
  const { product_id, product_name, version, arch } = product
  return { productId: product_id, productName: product_name, version, arch }
}
