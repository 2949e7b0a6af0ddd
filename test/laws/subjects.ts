import { assembleResources } from '../../src/areas/index.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { chooseCover, isShort } from '../support/cover.ts'
import { resourceNamed } from '../support/given.ts'

const SERVICE_WRITES = 'the service itself writes its records'
const IN_USE = 'a started service has all of its records; they are neither made nor deleted'
const REVOKED = 'tokens are revoked, never changed; test/api is about that'
const ONE_EXTERNAL = 'there is one external source, which comes with the service; test/api is about it'
const ASKS_DIRECTORY = 'its actions ask a directory for the group; the tests with real directories are about them'
const RUNS = 'runs are asked for at hosts and done by workers; test/runs and test/api/config-runs are about them'
const REPORTS = 'agents upload their reports; test/api/config-reports is about them'
const EVERYBODYS = 'the default role lets everybody see public ones; test/api/bookmarks is about them'
const FACTS = 'hosts upload their facts; test/api/facts is about them'
const NESTED =
  'it is changed and deleted below its parents; test/api/combinations and test/api/templates are about that'
const ONE_OF_EACH =
  'there is one for each host group, environment or kind; test/api/combinations and test/api/templates are about that'
const ONE_OF_PAIR = 'there is one for each size and compute resource; test/dialect/virtual-machines is about it'
const BELOW_HOSTS = 'it is shown, changed and deleted below its host; test/api/interfaces is about that'
const AUTHORS_ONLY = 'it is seen by its author, whatever a filter says; test/api/config-rollouts is about it'
const BELOW_OWNERS = 'they are shown, changed and deleted below what they belong to; test/api/parameters is about that'
const LIST_ONLY = 'it is a list only'
const PROGRAM_BRINGS = 'they come with the program; test/api/templates is about them'
const CLASSES_BRING =
  'they come with their classes, and errors are said in words of their own; test/api/smart-class-parameters is about that'
const OVERRIDES = 'errors are said in words of their own; test/api/override-values is about that'
const IMPORTS = 'imports of classes write them; test/classification/import-progress is about that'
const TASKS = 'tasks are made where something long is asked for, and done by workers; test/tasks is about them'
const OF_PRODUCTS = 'its rows are contents of products, searched by words of theirs; test/api/repositories is about it'
const OWN_WORDS = 'they are found by what clients call them, too; test/api is about that'
const BELOW_VIEWS = 'they are shown and changed below their view; test/api is about that'
const PUBLISHED = 'versions are published, and deleted by a task; test/api is about them'
const BY_VIEWS = 'views that are made of others have them; test/api is about them'
const BELOW_FILTERS =
  'they are made, shown and changed below their filter; test/dialect/content-view-filters is about them'
const BY_PRODUCTS = 'products bring them; test/api is about them'
const ELSEWHERE = 'it is an organization in the words of content; test/api is about it'
const BY_TASK = 'it is deleted by a task; test/api is about it'
const BELOW_USERS = 'they are made, shown and changed below their user; test/api/preferences is about them'
const WISHES = 'they are named by what they are about; test/dialect/measured-users is about them'
const DELIVERIES = 'events and pings make them; test/events/webhooks is about them'
const OWNERS_ONLY = 'it is seen by its owner, whatever a filter says; test/events/webhooks is about it'
const PROVEN = 'a code confirms and removes them; test/api/second-factors is about them'
const LOGINS = 'logins write them; test/api/second-factors is about them'
const BY_MODULE = 'its list is an object by module; test/api/configclasses is about it'

/** Resources that a law does not cover, with the reason. It covers all others. */
const SILENT = {
  create: {
    webhook_delivery: DELIVERIES,
    second_factor: PROVEN,
    login_event: LOGINS,
    compute_attribute: ONE_OF_PAIR,
    ssh_key: BELOW_USERS,
    user_identity: BELOW_USERS,
    table_preference: BELOW_USERS,
    user_mail_notification: WISHES,
    content_view_version: PUBLISHED,
    content_view_filter_rule: BELOW_FILTERS,
    content_view_component: BY_VIEWS,
    content_organization: ELSEWHERE,
    repository_set: BY_PRODUCTS,
    subscription: BY_PRODUCTS,
    task: TASKS,
    class_import: IMPORTS,
    smart_class_parameter: CLASSES_BRING,
    override_value: OVERRIDES,
    template_kind: PROGRAM_BRINGS,
    mail_notification: PROGRAM_BRINGS,
    template_combination: ONE_OF_EACH,
    os_default_template: ONE_OF_EACH,
    fact_value: FACTS,
    config_run: RUNS,
    config_report: REPORTS,
    config_rollout: RUNS,
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: IN_USE,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  update: {
    webhook_delivery: DELIVERIES,
    second_factor: PROVEN,
    login_event: LOGINS,
    compute_attribute: ONE_OF_PAIR,
    ssh_key: BELOW_USERS,
    user_identity: BELOW_USERS,
    table_preference: BELOW_USERS,
    user_mail_notification: WISHES,
    content_view_version: PUBLISHED,
    content_view_filter_rule: BELOW_FILTERS,
    content_view_component: BY_VIEWS,
    content_organization: ELSEWHERE,
    repository_set: BY_PRODUCTS,
    subscription: BY_PRODUCTS,
    task: TASKS,
    class_import: IMPORTS,
    smart_class_parameter: CLASSES_BRING,
    override_value: OVERRIDES,
    parameter: BELOW_OWNERS,
    interface: BELOW_HOSTS,
    template_kind: PROGRAM_BRINGS,
    mail_notification: PROGRAM_BRINGS,
    template_combination: NESTED,
    os_default_template: NESTED,
    fact_value: FACTS,
    config_run: RUNS,
    config_report: REPORTS,
    config_rollout: RUNS,
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: 'its one value is checked by the type of the setting; test/api is about that',
    personal_access_token: REVOKED,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  delete: {
    webhook_delivery: DELIVERIES,
    second_factor: PROVEN,
    login_event: LOGINS,
    compute_attribute: ONE_OF_PAIR,
    ssh_key: BELOW_USERS,
    user_identity: BELOW_USERS,
    table_preference: BELOW_USERS,
    user_mail_notification: WISHES,
    content_view_version: PUBLISHED,
    content_view_filter_rule: BELOW_FILTERS,
    content_view_component: BY_VIEWS,
    content_view: BY_TASK,
    content_organization: ELSEWHERE,
    repository_set: BY_PRODUCTS,
    subscription: BY_PRODUCTS,
    product: BY_TASK,
    task: TASKS,
    class_import: IMPORTS,
    smart_class_parameter: CLASSES_BRING,
    override_value: OVERRIDES,
    parameter: BELOW_OWNERS,
    interface: BELOW_HOSTS,
    template_kind: PROGRAM_BRINGS,
    mail_notification: PROGRAM_BRINGS,
    template_combination: NESTED,
    os_default_template: NESTED,
    fact_value: FACTS,
    config_run: RUNS,
    config_report: REPORTS,
    config_rollout: RUNS,
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: IN_USE,
    personal_access_token: REVOKED,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  show: {
    webhook: OWNERS_ONLY,
    webhook_delivery: OWNERS_ONLY,
    second_factor: PROVEN,
    login_event: LOGINS,
    compute_attribute: ONE_OF_PAIR,
    bookmark: EVERYBODYS,
    ssh_key: BELOW_USERS,
    user_identity: BELOW_USERS,
    table_preference: BELOW_USERS,
    user_mail_notification: WISHES,
    content_organization: ELSEWHERE,
    repository_set: OWN_WORDS,
    subscription: OWN_WORDS,
    content_view_filter_rule: BELOW_FILTERS,
    content_view_component: BELOW_VIEWS,
    smart_class_parameter: CLASSES_BRING,
    override_value: OVERRIDES,
    config_rollout: AUTHORS_ONLY,
    parameter: BELOW_OWNERS,
    interface: BELOW_HOSTS,
    fact_value: FACTS,
    template_kind: LIST_ONLY,
    mail_notification: PROGRAM_BRINGS,
    template_combination: ONE_OF_EACH,
    os_default_template: ONE_OF_EACH,
    auth_source: LIST_ONLY,
    external_usergroup: ASKS_DIRECTORY,
  },
  list: { repository_set: OF_PRODUCTS, configclass: BY_MODULE, override_value: OVERRIDES, fact_value: FACTS },
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type Law = keyof typeof SILENT

/** Lists the resources that a law covers. */
export function subjects(law: Law): Resource[] {
  const silent: Readonly<Record<string, string>> = SILENT[law]
  for (const name of Object.keys(silent)) resourceNamed(name)
  return RESOURCES.filter(({ name }) => !(name in silent))
}

const RESOURCES = [...assembleResources().values()]

/** Lists their names for `test.each`. */
export function names(law: Law): string[] {
  return subjects(law).map(({ name }) => name)
}

/**
 * Lists the names of the resources that a law is tried on now: as few as have every kind of field with its facts, and every way to
 * be declared, and a tenth of the others by the seed of the run; all where a file is named.
 */
export function turns(law: Law): string[] {
  return isShort ? coverOf(law, 0.1) : names(law)
}

/** Lists the names of as few resources as that, and of this share of the others, for laws that take long for each. */
export function coverOf(law: Law, share: number): string[] {
  return chooseCover(subjects(law), { nameOf: ({ name }) => name, featuresOf, share }).map(({ name }) => name)
}

function featuresOf(resource: Resource): string[] {
  const { placed, taxable, surface, nestedOnly, parents, rules, actions } = resource
  const fields = placed.flatMap(({ field: { kind, required, secret } }) => [
    `${kind} ${Boolean(required)}`,
    `secret ${Boolean(secret)}`,
  ])
  const facts = {
    taxable,
    surface,
    nestedOnly,
    parents: Object.keys(parents).length > 0,
    rules: Boolean(rules),
    actions: Boolean(actions),
  }
  return [...fields, ...Object.entries(facts).map(([name, value]) => `${name} ${value}`)]
}
