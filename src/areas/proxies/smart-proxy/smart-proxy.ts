import { z } from 'zod'
import { boolean, type Definition, integer, links, secret, text } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { nestedList } from '../../../records/nested.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { sql } from '../../../sql.ts'
import { probedFeatures, probedUrl, refresh, validateProxyAnswer } from './asking.ts'
import { machines } from './machines.ts'
import { proxyWrites } from './places.ts'
import { commandWords, KNOWN_HOSTS, privateKey, RUNNERS, validateRunner } from './runner.ts'

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
  routes: { alone: true },
  words: { plural: 'smart_proxies' },
  summary: 'A service at a site that executes requests of this service, or another way to reach the hosts of the site.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    url: probedUrl(
      text({
        required: true,
        search: 'free',
        doc: 'Unique, http or https, without user and password. A change refreshes the features of the proxy.',
      }),
    ),
    features: probedFeatures(),
    runner: text({
      oneOf: RUNNERS,
      blank: 'proxy',
      doc: 'Method for configuration runs on its hosts: the smart proxy itself, SSH from this service, or a command on this machine.',
    }),
    runner_command: commandWords(
      'ssh: the command on the host; empty: the usual agent. command: the program, which the configuration option run-commands must allow, and its arguments; %{host} stands for the host, which otherwise is the last argument.',
    ),
    ssh_user: text({
      max: 64,
      pattern: { regexp: /^$|^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/, message: 'is not the name of a user' },
      doc: 'User name for SSH; root by default.',
    }),
    ssh_port: integer({ min: 1, max: 65_535, doc: 'Port of the SSH servers; 22 when not set.' }),
    ssh_key: privateKey(
      secret({
        max: 16_384,
        clearable: true,
        encrypted: true,
        sentTo: ['runner', 'runner_command', 'ssh_user', 'ssh_port', 'ssh_known_hosts'],
        doc: 'Private key without a passphrase.',
      }),
    ),
    ssh_known_hosts: textIn(KNOWN_HOSTS, {
      max: 200_000,
      doc: 'Lines of a known_hosts file; runs refuse hosts with other keys.',
    }),
    run_timeout: integer({ min: 1, max: 86_400, doc: 'Time limit of a configuration run, in seconds.' }),
    machines: links('host', { through: 'smart_proxy_hosts', readOnly: true, doc: 'Hosts that it runs on itself.' }),
    ...buildTaxonomyFields('smart_proxy'),
    any_organization: boolean({
      initial: false,
      readOnly: true,
      doc: 'Whether it acts in all organizations where it names none.',
    }),
    any_location: boolean({
      initial: false,
      readOnly: true,
      doc: 'Whether it acts in all locations where it names none.',
    }),
  },
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
  around: proxyWrites,
  actions: [refresh, ...machines],
} as const satisfies Definition
