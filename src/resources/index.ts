import { assemble } from '../kernel/assemble.ts'
import type { Registry } from '../kernel/resource.ts'
import { activationKeys } from './activation-key/activation-key.ts'
import { architectures } from './architecture/architecture.ts'
import { audits } from './audit/audit.ts'
import { authSources, externalAuthSources, internalAuthSources } from './auth-source/auth-source.ts'
import { ldapAuthSources } from './auth-source/ldap.ts'
import { classImports } from './class-import/class-import.ts'
import { computeProfiles } from './compute-profile/compute-profile.ts'
import { computeResources } from './compute-resource/compute-resource.ts'
import { configGroups } from './config-group/config-group.ts'
import { configRollouts } from './config-run/config-rollout.ts'
import { configRuns } from './config-run/config-run.ts'
import { configclasses } from './configclass/configclass.ts'
import { contentOrganizations } from './content-organization/content-organization.ts'
import { contentViewComponents } from './content-view/component.ts'
import { contentViews } from './content-view/content-view.ts'
import { contentViewVersions } from './content-view/content-view-version.ts'
import { domains } from './domain/domain.ts'
import { environments } from './environment/environment.ts'
import { externalUsergroups } from './external-usergroup/external-usergroup.ts'
import { factValues } from './fact/fact-value.ts'
import { filters } from './filter/filter.ts'
import { hosts } from './host/host.ts'
import { interfaces } from './host/interface.ts'
import { hostCollections } from './host-collection/host-collection.ts'
import { hostgroups } from './hostgroup/hostgroup.ts'
import { images } from './image/image.ts'
import { lifecycleEnvironments } from './lifecycle-environment/lifecycle-environment.ts'
import { media } from './medium/medium.ts'
import { models } from './model/model.ts'
import { operatingsystems } from './operatingsystem/operatingsystem.ts'
import { osDefaultTemplates } from './os-default-template/os-default-template.ts'
import { overrideValues } from './override-value/override-value.ts'
import { commonParameters, parameters } from './parameter/parameter.ts'
import { permissions } from './permission/permission.ts'
import { personalAccessTokens } from './personal-access-token/personal-access-token.ts'
import { products } from './product/product.ts'
import { provisioningTemplates } from './provisioning-template/provisioning-template.ts'
import { ptables } from './ptable/ptable.ts'
import { realms } from './realm/realm.ts'
import { repositories } from './repository/repository.ts'
import { repositorySets } from './repository/repository-set.ts'
import { roles } from './role/role.ts'
import { settings } from './setting/setting.ts'
import { smartClassParameters } from './smart-class-parameter/smart-class-parameter.ts'
import { smartProxies } from './smart-proxy/smart-proxy.ts'
import { sshKeys } from './ssh-key/ssh-key.ts'
import { subnets } from './subnet/subnet.ts'
import { subscriptions } from './subscription/subscription.ts'
import { tablePreferences } from './table-preference/table-preference.ts'
import { tasks } from './task/task.ts'
import { locations, organizations } from './taxonomy/taxonomy.ts'
import { templateCombinations } from './template-combination/template-combination.ts'
import { templateKinds } from './template-kind/template-kind.ts'
import { users } from './user/user.ts'
import { usergroups } from './usergroup/usergroup.ts'

/** Every resource of the service, tied together. */
export function resources(): Registry {
  const records = [
    organizations,
    locations,
    architectures,
    operatingsystems,
    environments,
    smartProxies,
    domains,
    subnets,
    realms,
    models,
    computeResources,
    computeProfiles,
    media,
    ptables,
    hostgroups,
    templateKinds,
    provisioningTemplates,
    templateCombinations,
    osDefaultTemplates,
    hosts,
    hostCollections,
    configclasses,
    configGroups,
    smartClassParameters,
    overrideValues,
    classImports,
    configRuns,
    configRollouts,
    interfaces,
    images,
    authSources,
    internalAuthSources,
    externalAuthSources,
    ldapAuthSources,
    externalUsergroups,
    users,
    usergroups,
    roles,
    filters,
    permissions,
    personalAccessTokens,
    sshKeys,
    tablePreferences,
    settings,
    parameters,
    commonParameters,
    factValues,
    contentOrganizations,
    products,
    repositories,
    repositorySets,
    subscriptions,
    tasks,
    lifecycleEnvironments,
    contentViews,
    contentViewVersions,
    contentViewComponents,
    activationKeys,
  ]
  return assemble([...records, audits(records)])
}
