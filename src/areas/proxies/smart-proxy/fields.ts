import { boolean, integer, links, secret, text } from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import { probedFeatures, probedUrl } from './asking.ts'
import { commandWords, KNOWN_HOSTS, privateKey, RUNNERS } from './runner.ts'

/** The fields of smart proxies. */
export const smartProxyFields = {
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
}

/** The fields above, by which drafts and rows are typed. */
export type SmartProxyFields = typeof smartProxyFields
