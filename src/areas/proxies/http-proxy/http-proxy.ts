import { defineResource, secret, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { buildUrlLanguage } from '../../../requests/languages.ts'

const KEYS = ['username', 'url', 'created_at', 'updated_at', 'id', 'name']

const PROXY_URL = buildUrlLanguage(
  /^https?:\/\/[^\s/\\?#@]+\/?$/,
  'must be a URL like http://proxy.example.test:3128, without user, password and path',
)

/** HTTP proxies. They are only stored: the service itself uses the one in its settings. */
export const httpProxies = defineResource({
  name: 'http_proxy',
  words: { plural: 'http_proxies' },
  summary: 'An HTTP proxy that records can refer to.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    url: textIn(PROXY_URL, { required: true, search: 'free', doc: 'URL of the HTTP proxy.' }),
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
  visibility: { taxable: true },
  views: { list: KEYS, show: [...KEYS, 'locations', 'organizations'] },
})
