/** A pattern of commands, and the reason that applies to them. */
export type Reason = readonly [about: RegExp, reason: string]

/** Commands for features that this service does not have, and those that send no request. */
export const NOT_SERVED: readonly Reason[] = [
  [/^(?:defaults|shell|full-help|prebuild-bash-completion)\b/, 'They ask no server.'],
  [/^capsule\b/, 'Another name of proxies.'],
  [
    /^(?:package|deb-package|package-group|erratum|file|srpm|module-stream|docker|content-units)\b/,
    'Packages are not kept.',
  ],
  [/^(?:content-export|content-import|alternate-content-source|flatpak-remote|sync-plan)\b/, 'Nothing is downloaded.'],
  [/^(?:report-template|recurring-logic)\b/, 'There are no such records.'],
]

const VIRTUAL_MACHINES =
  /^compute-resource (?:associate-vms|clusters|flavors|folders|image available|images|networks|resource-pools|security-groups|storage-\w+|virtual-machines?|vnic-profiles|zones)\b/
const PACKAGES_OF_HOSTS =
  /^host (?:bootc|deb-package|errata|package|package-group|traces)\b|^host subscription enabled-repositories\b/
const DOWNLOADS =
  /^product (?:remove-sync-plan|set-sync-plan|synchronize|update-proxy|verify-checksum)\b|^repository (?:reclaim-space|remove-content|republish|synchronize|types|upload-content|verify-checksum)\b|^repository-set (?:available-repositories|disable|enable|info)\b|^content-view version (?:incremental-update|republish-repositories|verify-checksum)\b|^proxy content\b|^subscription (?:delete-manifest|manifest-history|refresh-manifest|upload)\b/

/** Commands and options that are missing, as `command` or `command --option`. */
export const LACKING: readonly Reason[] = [
  [VIRTUAL_MACHINES, 'Nothing here connects to compute resources.'],
  [/^compute-resource (?:create|update) --/, 'What only connections to compute resources need.'],
  [/^compute-resource image (?:create|update) --(?:password|user-data)$/, 'What only virtual machines need.'],
  [PACKAGES_OF_HOSTS, 'Packages of hosts are not kept.'],
  [
    /^host (?:create|update|subscription register) --(?:hypervisor-guest-uuids|installed-products-attributes|product|progress-report-id|uuid)$/,
    'What subscription clients say of themselves.',
  ],
  [/^host interface (?:create|update) --execution$/, 'Nothing is executed over a chosen interface.'],
  [/^host-registration generate-command --remote-execution-interface$/, 'Nothing is executed over a chosen interface.'],
  [
    /^(?:template build-pxe-default|host boot|host disassociate|host rebuild-config|hostgroup rebuild-config) --(?:location|organization)$|^(?:filter available-resources|task resume) --/,
    'Words that change nothing there.',
  ],
  [
    /^(?:os list --os-parameters-attributes|role info --description|lifecycle-environment update --async)$/,
    'Never read by the servers themselves.',
  ],
  [/^(?:partition-table|template) import --default$/, 'Templates are imported as they are.'],
  [/^proxy (?:create|update) --download-policy$/, 'Proxies keep no content.'],
  [/^subnet (?:create|update) --/, 'Proxies of these kinds are not asked.'],
  [/^task list --parent-task-id$/, 'Tasks have no parents.'],
  [DOWNLOADS, 'Nothing is downloaded, uploaded or checked.'],
  [/^(?:product|repository) (?:create|list|update) --|^content-view version list --/, 'What only downloads need.'],
]

/** Commands that are available or described, but not executed here. */
export const NOT_RUN: readonly Reason[] = [
  [/^auth login (?:basic-external|negotiate|oauth)$/, 'They need a web server in front.'],
  [VIRTUAL_MACHINES, 'Nothing here connects to compute resources.'],
  [PACKAGES_OF_HOSTS, 'Packages of hosts are not kept.'],
  [DOWNLOADS, 'Nothing is downloaded, uploaded or checked.'],
  [/^report (?:delete|info|list)$|^host reports$/, 'Older names of commands that are run.'],
  [/^proxy import-subnets$/, 'No networks are read from proxies.'],
  [/^user registration-tokens\b/, 'Came with versions that are newer than the one that is announced.'],
  [/^content-view-environment\b/, 'Came with versions that are newer than the one that is announced.'],
  [/^organization configure-cdn$/, 'Content of vendors comes from one address.'],
  [/^host-collection (?:erratum|package|package-group)\b/, 'Nothing is installed on hosts.'],
  [/^content-view purge$/, 'Versions are deleted one by one.'],
]
