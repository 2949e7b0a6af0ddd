import { assemble } from '../kernel/assemble.ts'
import type { Registry } from '../kernel/resource.ts'
import { architectures } from './architecture/architecture.ts'
import { audits } from './audit/audit.ts'
import { authSources, externalAuthSources, internalAuthSources } from './auth-source/auth-source.ts'
import { ldapAuthSources } from './auth-source/ldap.ts'
import { externalUsergroups } from './external-usergroup/external-usergroup.ts'
import { filters } from './filter/filter.ts'
import { images } from './image/image.ts'
import { operatingsystems } from './operatingsystem/operatingsystem.ts'
import { permissions } from './permission/permission.ts'
import { personalAccessTokens } from './personal-access-token/personal-access-token.ts'
import { roles } from './role/role.ts'
import { settings } from './setting/setting.ts'
import { locations, organizations } from './taxonomy/taxonomy.ts'
import { users } from './user/user.ts'
import { usergroups } from './usergroup/usergroup.ts'

/** Every resource of the service, tied together. */
export function resources(): Registry {
  const records = [
    organizations,
    locations,
    architectures,
    operatingsystems,
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
    settings,
  ]
  return assemble([...records, audits(records)])
}
