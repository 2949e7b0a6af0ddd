import { expect, test } from 'vitest'
import { declared } from '../support/declared.ts'

// Below parents there are actions only where somebody wants them (docs/decisions/0009-kernel.md).
const OPERATIONS = ['list', 'show', 'create', 'update', 'delete']

test('the actions below parents are those that declarations want there', () => {
  const nested = declared.declared.filter(({ id, resource }) => {
    const names = id.split('.')
    return resource !== undefined && names.length > 2 && !OPERATIONS.includes(names.at(-1) ?? '')
  })
  expect(nested.map(({ id }) => id).toSorted()).toEqual([
    'auth_source_externals.external_usergroups.refresh',
    'auth_source_ldaps.external_usergroups.refresh',
    'auth_source_oidcs.external_usergroups.refresh',
    'configclasses.smart_class_parameters.lint',
    'content_views.content_view_components.add',
    'content_views.content_view_components.remove',
    'domains.parameters.reset',
    'hostgroups.parameters.reset',
    'hosts.config_reports.last',
    'hosts.parameters.reset',
    'hosts.smart_class_parameters.explain',
    'locations.parameters.reset',
    'operatingsystems.parameters.reset',
    'organizations.lifecycle_environments.paths',
    'organizations.parameters.reset',
    'organizations.subscriptions.csv',
    'subnets.parameters.reset',
    'usergroups.external_usergroups.refresh',
    'users.personal_access_tokens.revoke',
    'users.personal_access_tokens.rotate',
    'users.second_factors.confirm',
    'webhooks.deliveries.redeliver',
  ])
})
