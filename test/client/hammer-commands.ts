import { readTranscript } from '../acceptance/hammer/transcript.ts'

/** A command of that command line, and ours for it. */
export interface HammerCommand {
  readonly group: string
  readonly command: string
  /** Null: there is none, and `why` says so. */
  readonly ours: string | null
  readonly why: string
  readonly captured: string | null
  /** What of its own answer is captured; null where only ours is asked for it. */
  readonly pattern: RegExp | null
  /** The only version that has it; null: all. */
  readonly version: string | null
  readonly isRefused: boolean
}

/** All of them, in an order in which they can be run. */
export function hammerCommands(): HammerCommand[] {
  return [...readTranscript('core'), ...readTranscript('content')].flatMap(({ title, steps }) =>
    steps.map(({ command, captured, pattern, version, status }) => {
      const instead = INSTEAD[command]
      const ours = instead === undefined ? command : instead.startsWith('# ') ? null : instead
      return {
        group: title,
        command,
        ours,
        why: instead?.startsWith('# ') ? instead.slice(2) : '',
        captured: captured ?? CAPTURED[command] ?? null,
        pattern: captured === null ? null : pattern,
        version,
        isRefused: status !== 0,
      }
    }),
  )
}

const LOGIN = '# `millwright login` stores a token; on the line everybody would see the password'

/** What is written otherwise; behind `# ` stands why there is nothing to write. */
const INSTEAD: Readonly<Record<string, string>> = {
  'template import --name Imported --file {files}/imported':
    'template create --name Imported --type provision --file {files}/imported',
  'organization create --name Acme --label acme --description "The first"':
    'content-organization create --name Acme --label acme --description "The first"',
  'organization create --name Acme --label acme --simple-content-access false':
    'content-organization create --name Acme --label acme --simple-content-access false',
  'os delete-default-template --id {system} --type provision':
    'os default-template delete --os {system} --id {default}',
  'filter available-resources': '# `millwright permission list --query "results[].resource_type"` shows them',
  'sc-param list --search puppetclass=ntp --fields Id': 'sc-param list --search configclass=ntp --fields Id',
  'ping foreman': 'ping',
  'ping katello': 'ping',
  'user create --login wile --password correct-horse --mail wile@acme.example --auth-source Internal --firstname Wile --lastname Coyote --organizations Acme --locations Kiruna --default-organization Acme --timezone Stockholm --locale en':
    'user create --login wile --password correct-horse --mail wile@acme.example --auth-source Internal --firstname Wile --lastname Coyote --organizations Acme --locations Kiruna --default-organization Acme --timezone Europe/Stockholm --locale en',
  'auth-source ldap create --name directory --host ldap.acme.example --port 636 --tls true --server-type free_ipa --account uid=reader --account-password secret --base-dn dc=acme,dc=example --attr-login uid --attr-firstname givenName --attr-lastname sn --attr-mail mail':
    'auth-source ldap create --name directory --host ldap.acme.example --port 636 --tls true --server-type directory_a --account uid=reader --account-password secret --base-dn dc=acme,dc=example --attr-login uid --attr-firstname givenName --attr-lastname sn --attr-mail mail',
  '--username wile --password correct-horse domain list': LOGIN,
  '--username wile --password correct-horse architecture list': LOGIN,
  '--username wile --password wrong domain list': LOGIN,
  'os set-default-template --id {system} --provisioning-template-id {template}':
    'os set-default-template --id {system} --provisioning-template-id {template} --template-kind provision',
  'sc-param add-matcher --smart-class-parameter servers --puppet-class ntp --match os=bookworm --value \'["a.example"]\'':
    'sc-param add-matcher --smart-class-parameter servers --match os=bookworm --value \'["a.example"]\'',
  'auth-source external info --name External': 'auth-source external list --search name=External',
  'user mail-notification add --user wile --mail-notification host_built --subscription "Subscribe to my hosts"':
    'user mail-notification add --user wile --mail-notification host_built --interval "Subscribe to my hosts"',
  'hostgroup create --name contented --organizations Acme --query-organization Acme --lifecycle-environment Library --content-view "Default Organization View"':
    'hostgroup create --name contented --organizations Acme --organization Acme --lifecycle-environment Library --content-view "Default Organization View"',
  'user-group external update --name wolves --user-group pack --new-name dogs':
    '# by id: `millwright user-group external update --id ID --user-group pack --new-name dogs`',
  'user-group external info --name dogs --user-group pack': '# by id: `--id ID --user-group pack`',
  'user-group external refresh --name dogs --user-group pack': '# by id: `--id ID --user-group pack`',
  'user-group external delete --name dogs --user-group pack': '# by id: `--id ID --user-group pack`',
  'global-parameter list --show-hidden true': '# `millwright api GET /api/common_parameters show_hidden=true`',
  'content-view version promote --async --organization Acme --content-view base --version 1.0 --to-lifecycle-environment Dev':
    'content-view version promote --organization Acme --id {version} --to-lifecycle-environment Dev',
  'content-view version update --organization Acme --content-view base --version 1.0 --description "Still first"':
    'content-view version update --id {version} --description "Still first"',
  'content-view version info --organization Acme --content-view base --version 1.0':
    'content-view version info --id {version}',
  'content-view component add --organization Acme --composite-content-view whole --component-content-view base --latest':
    'content-view component add --organization Acme --composite-content-view whole --components \'[{"content_view_id": {view}, "latest": true}]\'',
  'content-view filter add-repository --organization Acme --content-view base --name toys --product Tools --repository el9':
    'content-view filter update --organization Acme --content-view base --name toys --repositories el9',
  'content-view filter remove-repository --organization Acme --content-view base --name toys --product Tools --repository el9':
    'content-view filter update --organization Acme --content-view base --name toys --repository-ids ""',
  'content-view filter rule create --organization Acme --content-view base --content-view-filter toys --name chess --min-version 1.0':
    'content-view filter rule create --organization Acme --content-view-filter toys --name chess --min-version 1.0',
  'content-view filter rule list --organization Acme --content-view base --content-view-filter toys':
    'content-view filter rule list --organization Acme --content-view-filter toys',
  'content-view filter rule info --organization Acme --content-view base --content-view-filter toys --name chess':
    'content-view filter rule info --organization Acme --content-view-filter toys --id {rule}',
  'content-view filter rule update --organization Acme --content-view base --content-view-filter toys --name chess --max-version 2.0':
    'content-view filter rule update --organization Acme --content-view-filter toys --id {rule} --max-version 2.0',
  'content-view filter rule delete --organization Acme --content-view base --content-view-filter toys --name chess':
    'content-view filter rule delete --organization Acme --content-view-filter toys --id {rule}',
  'content-view component remove --organization Acme --composite-content-view whole --component-content-views base':
    'content-view component remove --organization Acme --composite-content-view whole --component-ids {component}',
  'activation-key content-override --organization Acme --name web --content-label acme_tools_el9 --value 1':
    'activation-key content-override --organization Acme --name web --content-overrides \'[{"content_label":"acme_tools_el9","name":"enabled","value":"1"}]\'',
  'host subscription content-override --host reg1 --content-label acme_tools_el9 --value 1':
    'host content-override reg1 --content-overrides \'[{"content_label":"acme_tools_el9","name":"enabled","value":"1"}]\'',
  'host subscription attach --host reg1 --subscription-id {pool}':
    'host add-subscriptions reg1 --subscriptions \'[{"id": {pool}, "quantity": 1}]\'',
  'host subscription remove --host reg1 --subscription-id {pool}':
    'host remove-subscriptions reg1 --subscriptions \'[{"id": {pool}}]\'',
  'host-collection hosts --organization Acme --name racks': 'host list --search host_collection=racks',
  'content-view version delete --organization Acme --content-view base --version 1.0':
    'content-view version delete --id {version}',
}

/** Ids that later commands need, by the command that prints them first. */
const CAPTURED: Readonly<Record<string, string>> = {
  'os set-default-template --id {system} --provisioning-template-id {template}': 'default',
  'content-view version list --organization Acme --content-view base': 'version',
  'content-view info --organization Acme --name base': 'view',
  'content-view filter rule list --organization Acme --content-view base --content-view-filter toys': 'rule',
  'content-view component list --organization Acme --composite-content-view whole': 'component',
}

/** What is uploaded. */
export const UPLOADED: Readonly<Record<string, string>> = {
  layout: 'zerombr\n',
  template: 'Welcome to <%= @host.name %>\n',
  imported: '<%#\nname: Imported\nkind: provision\n-%>\nWelcome\n',
}

/** The table of the document: the commands that ours takes in other words, without the options that are alike in both. */
export function hammerTable(): string {
  const commands = hammerCommands().filter(({ group }) => group !== 'the end')
  const other = commands.filter(({ command, ours }) => ours !== command)
  const rows = other.map(({ command, ours, why }) => {
    const [theirs, here] =
      ours === null ? [command.replace(/^(--username \S+ --password) .*/, '$1 …'), why] : leaveOutAlike(command, ours)
    return `| ${toCell(`hammer ${theirs}`)} | ${ours === null ? here : toCell(`millwright ${here}`)} |`
  })
  const alike = `${commands.length - other.length} of the ${commands.length} commands are the same. The others, where \`…\` stands for options that are the same:`
  return `${alike}\n\n| hammer | millwright |\n| --- | --- |\n${[...new Set(rows)].join('\n')}`
}

function toCell(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** Leaves out of two lines the options that both have with the same value. */
function leaveOutAlike(theirs: string, ours: string): readonly [string, string] {
  const lines = [splitOptions(theirs), splitOptions(ours)] as const
  const alike = new Set(lines[0].options.filter((option) => lines[1].options.includes(option)))
  const shorten = ({ words, options }: ReturnType<typeof splitOptions>) =>
    [words, ...options.filter((option) => !alike.has(option)), ...(alike.size > 0 ? ['…'] : [])].join(' ')
  return [shorten(lines[0]), shorten(lines[1])]
}

function splitOptions(line: string): { readonly words: string; readonly options: readonly string[] } {
  const [words = '', ...options] = line.split(/ (?=--[a-z])/)
  return { words, options }
}
