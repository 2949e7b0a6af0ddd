import type { FieldErrors } from '../../../errors.ts'
import { boolean, defineResource, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { unset } from '../../../records/coerced.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { COMPUTE_ATTRIBUTE_KEYS } from '../compute-attribute/compute-attribute.ts'

/** Values that only some providers have; they are stored as they were sent, whatever the provider. */
const TOLD = {
  user: text({ doc: 'Account for access to it.' }),
  server: text({ doc: 'Host name of its manager.' }),
  datacenter: text({ doc: 'The part of it that machines run in.' }),
  region: text({ doc: 'The region of a cloud.' }),
  zone: text({ doc: 'The zone of a cloud.' }),
  tenant: text({ doc: 'The tenant of a cloud.' }),
  project: text({ doc: 'The project of a cloud.' }),
  domain: text({ doc: 'The domain of the account.' }),
  project_domain_name: text({ doc: 'The domain of the project, by name.' }),
  project_domain_id: text({ doc: 'The domain of the project, by id.' }),
  email: text({ doc: 'The address of a service account.' }),
  key_path: text({ doc: 'Path of the key file of a service account.' }),
  ovirt_quota: text({ doc: 'The quota that machines count for.' }),
  public_key: text({ max: 65_535, doc: 'Certificates to verify it.' }),
  keyboard_layout: text({ doc: 'Keyboard layout of the displays of its machines.' }),
  caching_enabled: unset(boolean({ initial: false, doc: 'Whether the service may cache its data.' })),
}

const KEYS = ['description', 'url', 'created_at', 'updated_at', 'id', 'name', 'provider']

/** Compute resources (core-api §11). They are only stored: the service asks nothing of their providers. */
export const computeResources = defineResource({
  name: 'compute_resource',
  summary: 'A compute resource that runs virtual machines: a hypervisor or a cloud.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    provider: text({ required: true, doc: 'Its kind, any word.' }),
    url: text({ doc: 'URL, without a password.' }),
    description: text({ max: 65_535, doc: 'Optional note.' }),
    display_type: text({ doc: 'Type of the displays of its machines; any word is accepted.' }),
    set_console_password: unset(
      boolean({ initial: false, doc: 'Whether the screen of a new machine gets a password.' }),
    ),
    ...TOLD,
    compute_attributes: children('compute_attribute', {
      show: COMPUTE_ATTRIBUTE_KEYS,
      doc: 'Attributes of its machines, for each compute profile.',
    }),
    images: children('image', { doc: 'Its images; they are deleted with it.' }),
    ...buildTaxonomyFields('compute_resource'),
  },
  label: 'name',
  views: {
    list: KEYS,
    show: [
      ...KEYS,
      'display_type',
      'set_console_password',
      ...Object.keys(TOLD),
      'images',
      'compute_attributes',
      'locations',
      'organizations',
    ],
  },
  search: [{ name: 'type', type: 'text', column: 'provider' }],
  visibility: { taxable: true },
  rules: [refusePassword],
})

/**
 * Refuses URLs with a password, which everybody who sees the record would see. A URL that an upgrade has masked can
 * stay.
 */
function refusePassword(_record: unknown, { url }: { readonly url?: string | null }): FieldErrors | undefined {
  const password = url ? findPassword(url) : null
  return password === null || password === HIDDEN ? undefined : { url: [NO_PASSWORD] }
}

const NO_PASSWORD = 'must not carry a password: everybody who sees the compute resource would see it'

/** Finds the password in a URL, `user:password@host`, also in malformed ones that some program might accept. */
function findPassword(url: string): string | null {
  return /^\s*(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#:@]*:([^\\/?#]*)@/i.exec(url)?.[1] ?? null
}
