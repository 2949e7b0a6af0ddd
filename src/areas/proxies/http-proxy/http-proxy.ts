import type { FieldErrors } from '../../../errors.ts'
import { type Draft, defineResource, secret, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'

const KEYS = ['username', 'url', 'created_at', 'updated_at', 'id', 'name']

const NO_URL = 'must be a URL like http://proxy.example.test:3128, without user, password and path'

/** HTTP proxies. They are only stored: the service itself uses the one in its settings. */
export const httpProxies = defineResource({
  name: 'http_proxy',
  words: { plural: 'http_proxies' },
  summary: 'An HTTP proxy that records can name.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    url: text({
      required: true,
      pattern: { regexp: /^https?:\/\/[^\s/\\?#@]+\/?$/, message: NO_URL },
      search: 'free',
      doc: 'URL of the HTTP proxy.',
    }),
    username: text({ doc: 'User name for the HTTP proxy.' }),
    password: secret({
      clearable: true,
      max: 255,
      encrypted: true,
      sentTo: ['url'],
      doc: 'Password for the HTTP proxy.',
    }),
    ...buildTaxonomyFields('http_proxy'),
  },
  label: 'name',
  rules: [validateUrl],
  visibility: { taxable: true },
  views: { list: KEYS, show: [...KEYS, 'locations', 'organizations'] },
})

function validateUrl(_record: Draft, { url }: Draft): FieldErrors | undefined {
  return typeof url !== 'string' || URL.canParse(url) ? undefined : { url: [NO_URL] }
}
