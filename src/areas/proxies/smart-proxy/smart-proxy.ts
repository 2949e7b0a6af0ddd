import { z } from 'zod'
import type { Definition } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { nestedList } from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { refresh, validateProxyAnswer } from './asking.ts'
import { smartProxyFields } from './fields.ts'
import { machines } from './machines.ts'
import { proxyWrites } from './places.ts'
import { validateRunner } from './runner.ts'

const KEYS = ['created_at', 'updated_at', 'name', 'id', 'url', 'features']
const RUNNER_KEYS = ['runner', 'runner_command', 'ssh_user', 'ssh_port', 'ssh_known_hosts', 'run_timeout']

const features = nestedList('Features at the last refresh.', (own) => ({
  keys: {
    capabilities: [z.array(z.string()).meta({ description: 'Capabilities of the feature.' }), sql`l.capabilities`],
    name: [z.string().meta({ description: 'Its name.' }), sql`f.name`],
    id: [z.int().meta({ description: 'Its id, the same in all proxies.' }), sql`f.id`],
  },
  from: sql`smart_proxy_features l join features f on f.id = l.feature_id
    where l.smart_proxy_id = ${own('id')}`,
  order: sql`f.name`,
}))

/** The declaration of smart proxies (core-api §11, smart-parameters §7). */
export const smartProxy = {
  name: 'smart_proxy',
  routes: { notInBatch: true },
  words: { plural: 'smart_proxies' },
  summary: 'A service at a site that executes requests of this service, or another way to reach the hosts of the site.',
  fields: smartProxyFields,
  label: 'name',
  views: { list: KEYS, show: [...KEYS, ...RUNNER_KEYS, 'locations', 'organizations'] },
  readable: { features },
  search: [
    searchByLinked('feature', {
      through: 'smart_proxy_features',
      own: 'smart_proxy_id',
      other: 'feature_id',
      table: 'features',
    }),
  ],
  visibility: { taxable: true },
  rules: [validateRunner, validateProxyAnswer],
  wrapWrite: proxyWrites,
  actions: [refresh, ...machines],
} as const satisfies Definition
