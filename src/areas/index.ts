import { assemble, type Definition, defineResource, type Registry } from '../kernel/index.ts'
import { nestWrappers } from '../records/nest-wrappers.ts'
import {
  authSources,
  externalAuthSources,
  externalUsergroups,
  filters,
  internalAuthSources,
  ldapAuthSources,
  loginEvents,
  mailNotifications,
  oidcAuthSources,
  permissions,
  personalAccessTokens,
  roles,
  secondFactors,
  sshKeys,
  user,
  usergroups,
  userIdentities,
  userMailNotifications,
} from './access/index.ts'
import {
  classImports,
  configclasses,
  configGroups,
  environments,
  hostClasses,
  hostgroupClasses,
  imports,
  overrideValues,
  overrideWrites,
  smartClassParameters,
} from './configuration/index.ts'
import {
  activationKeys,
  contentCredentials,
  contentOrganizations,
  contentViewComponents,
  contentViewFilterRules,
  contentViewFilters,
  contentViews,
  contentViewVersions,
  createProductDeletionHandler,
  createReapplyHandler,
  DELETING,
  hostCollections,
  hostContent,
  hostgroupContent,
  lastLocationWrites,
  lifecycleEnvironments,
  listContentViewTaskHandlers,
  products,
  REAPPLYING,
  repositories,
  repositorySets,
  subscriptions,
} from './content/index.ts'
import { webhookDeliveries, webhooks, webhookTemplates } from './events/index.ts'
import {
  CREATOR_KEYS,
  domains,
  factValues,
  HOST_KEYS,
  HOSTGROUP_KEYS,
  host,
  hostgroup,
  interfaces,
  models,
  realms,
  subnets,
} from './inventory/index.ts'
import { commonParameters, parameters } from './parameters/index.ts'
import { location, organization } from './places/index.ts'
import {
  architectures,
  BUILD_TOKEN,
  buildTokenWrites,
  computeAttributes,
  computeProfiles,
  computeResources,
  hostgroupTemplates,
  images,
  media,
  operatingsystems,
  osDefaultTemplates,
  previewTemplate,
  provisioningTemplates,
  ptables,
  renderText,
  reportTemplates,
  takenTemplates,
  templateCombinations,
  templateKinds,
  templateNames,
} from './provisioning/index.ts'
import { actingFollows, httpProxies, smartProxy } from './proxies/index.ts'
import { AUTHORITY_KEY, endingAfterReset } from './registration/index.ts'
import { buildHostStatuses, configReports } from './reports/index.ts'
import { configRollouts, configRuns, configrun } from './runs/index.ts'
import { audits, bookmarks, settings, tablePreferences } from './server/index.ts'
import { endOldRequest, OLD_REQUESTS, REQUEST, type TaskHandler, tasks } from './tasks/index.ts'

// Pages of resources to which several areas contribute are put together here, by name, so that a reader sees everything
// their records have.

const statuses = buildHostStatuses(hostContent.statusKinds)

const hosts = defineResource({
  ...host,
  fields: { ...host.fields, ...hostContent.fields, ...hostClasses.fields },
  views: {
    ...host.views,
    show: [
      ...HOST_KEYS,
      'parameters',
      'all_parameters',
      ...CREATOR_KEYS,
      ...statuses.keys,
      ...hostContent.statusKeys,
      ...hostContent.keys,
      'interfaces',
      ...hostClasses.keys,
      'permissions',
    ],
    asked: [...host.views.asked, ...hostContent.asked],
  },
  readable: { ...host.readable, ...statuses.readable },
  search: [...host.search, ...statuses.search, ...hostClasses.search, ...hostContent.search],
  permissions: { further: [...host.permissions.further, ...hostContent.permissions] },
  wrapWrite: nestWrappers(host.wrapWrite, hostContent.wrapWrite, hostClasses.wrapWrite, buildTokenWrites),
  actions: [
    ...host.actions,
    previewTemplate,
    renderText,
    takenTemplates,
    templateNames,
    ...statuses.actions,
    ...hostClasses.actions,
    configrun,
    ...hostContent.actions,
  ],
})

const hostgroups = defineResource({
  ...hostgroup,
  fields: {
    ...hostgroup.fields,
    ...hostgroupContent.fields,
    ...hostgroupTemplates.fields,
    ...hostgroupClasses.fields,
  },
  views: {
    ...hostgroup.views,
    asked: [...hostgroup.views.asked, ...hostgroupClasses.asked],
    list: [...HOSTGROUP_KEYS, ...hostgroupContent.keys],
    show: [
      ...HOSTGROUP_KEYS,
      ...hostgroupContent.keys,
      'parameters',
      'template_combinations',
      ...hostgroupClasses.keys,
      'locations',
      'organizations',
    ],
  },
  readable: { ...hostgroup.readable, ...hostgroupContent.readable },
  search: [...hostgroup.search, ...hostgroupTemplates.search, ...hostgroupClasses.search],
  wrapWrite: nestWrappers(hostgroup.wrapWrite, hostgroupContent.wrapWrite, hostgroupClasses.wrapWrite),
  actions: [...hostgroup.actions, ...hostgroupClasses.actions],
})

const organizations = defineResource({
  ...organization,
  wrapWrite: nestWrappers(actingFollows, organization.wrapWrite, overrideWrites('organization')),
})

const locations = defineResource({
  ...location,
  wrapWrite: nestWrappers(actingFollows, location.wrapWrite, lastLocationWrites, overrideWrites('location')),
})

const users = defineResource({ ...user, wrapWrite: nestWrappers(user.wrapWrite, endingAfterReset) })

const smartProxies = defineResource({ ...smartProxy, actions: [...smartProxy.actions, ...imports] })

/** Builds the registry of all resources. */
export function assembleResources(): Registry {
  const records: readonly Definition[] = [
    organizations,
    locations,
    architectures,
    operatingsystems,
    environments,
    smartProxies,
    httpProxies,
    domains,
    subnets,
    realms,
    models,
    computeResources,
    computeProfiles,
    computeAttributes,
    media,
    ptables,
    hostgroups,
    templateKinds,
    provisioningTemplates,
    templateCombinations,
    osDefaultTemplates,
    reportTemplates,
    hosts,
    hostCollections,
    configclasses,
    configGroups,
    smartClassParameters,
    overrideValues,
    classImports,
    configRuns,
    configRollouts,
    configReports,
    interfaces,
    images,
    authSources,
    internalAuthSources,
    externalAuthSources,
    ldapAuthSources,
    oidcAuthSources,
    externalUsergroups,
    users,
    usergroups,
    roles,
    filters,
    permissions,
    personalAccessTokens,
    secondFactors,
    loginEvents,
    mailNotifications,
    userMailNotifications,
    sshKeys,
    userIdentities,
    tablePreferences,
    bookmarks,
    webhookTemplates,
    webhooks,
    webhookDeliveries,
    settings,
    parameters,
    commonParameters,
    factValues,
    contentOrganizations,
    products,
    repositories,
    repositorySets,
    contentCredentials,
    subscriptions,
    tasks,
    lifecycleEnvironments,
    contentViews,
    contentViewVersions,
    contentViewComponents,
    contentViewFilters,
    contentViewFilterRules,
    activationKeys,
  ]
  return assemble([...records, audits(records)])
}

/** The handlers of all kinds of tasks. A kind must not be renamed while tasks of it are planned. */
export function listTaskHandlers(registry: Registry): Readonly<Record<string, TaskHandler>> {
  return {
    [REAPPLYING]: createReapplyHandler(registry),
    [DELETING]: createProductDeletionHandler(registry),
    ...listContentViewTaskHandlers(registry),
    [REQUEST]: endOldRequest,
  }
}

/**
 * Lists all encrypted columns: those of declared fields, of hidden values, the authority's key, build tokens and requests of old tasks.
 * Resources that share a table share its columns.
 */
export function listEncryptedColumns(registry: Registry): readonly (typeof AUTHORITY_KEY)[] {
  const found: (typeof AUTHORITY_KEY)[] = [...registry.values()].flatMap(({ table, placed }) =>
    placed.flatMap(({ field: { secret, maskedBy }, column }) =>
      (secret?.encrypted || maskedBy !== undefined) && column ? [{ table, column: column.name }] : [],
    ),
  )
  return [
    ...new Map(
      [...found, AUTHORITY_KEY, BUILD_TOKEN, ...OLD_REQUESTS].map((one) => [`${one.table}.${one.column}`, one]),
    ).values(),
  ]
}
