import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// A rule about other records that a function looks up, and refuses by, is broken by two requests at once unless something
// holds it. A new one is added here with what that is; where it is a lock, a row of at-once-rules.ts shows it.
const ROOT = join(import.meta.dirname, '../../src')

const RIGHTS = 'what the author may do, as it was when they asked'
const FINDS_ONE = 'a record of the request that is not there'
/** What these say may be outdated a moment later, by a write of the other record that nothing forbids. */
const TELLS = 'nothing: a mistake is pointed out, and no more'
const NO_RULE = 'a fault of the program'

/** Why a refusal that looks at other records holds when others write at the same moment. */
const HELD: Readonly<Record<string, string>> = {
  'areas/access/explain/question.ts: readFilters': FINDS_ONE,
  'areas/access/explain/question.ts: readIds': FINDS_ONE,
  'areas/access/explain/unused.ts: answerUnused': RIGHTS,
  'areas/access/filter/filter.ts: refuseInvalidFilter': 'the role is locked, and permissions never change',
  'areas/access/login-request/asked.ts: readAsked': 'permissions never change',
  'areas/access/login-request/device.ts: requestDeviceLogin': TELLS,
  'areas/access/identity/exchange-code.ts: exchangeDeviceCode':
    'the request is locked, and its deletion yields it once',
  'areas/access/identity/recovery.ts: createAdministrator': 'lock: names of users and user groups',
  'areas/access/identity/recovery.ts: resetPassword': 'the user is locked',
  'areas/access/identity/recovery.ts: resetSecondFactor': 'the user is locked',
  'areas/access/personal-access-token/rotate.ts: rotateToken': 'the token is locked',
  'areas/access/second-factor/actions.ts: confirmFactor': 'the factor is locked, and the statement takes a code once',
  'areas/access/second-factor/actions.ts: removeFactor': TELLS,
  'areas/access/mail-notification/preference.ts: refuseUnfitting': 'kinds of mail never change',
  'areas/access/role/escalation.ts: refuseAdminGroup': RIGHTS,
  'areas/access/role/escalation.ts: refuseBeyondPlaces': RIGHTS,
  'areas/access/user/guard.ts: refuseForeignDefaults': TELLS,
  'areas/access/user/guard.ts: refuseAdministrators': RIGHTS,
  'areas/access/user/guard.ts: refuseMissingPassword': 'types of sources never change',
  'areas/access/user/fields.ts: isPasswordOfCaller': RIGHTS,
  'areas/access/usergroup/usergroup.ts: refuseLoop': 'lock: nesting of usergroups',
  'areas/configuration/configclass/fields.ts: keepOnly': 'parameters never change their class',
  'areas/configuration/explanation/supposed-keys.ts: idOf': FINDS_ONE,
  'areas/configuration/smart-class-parameter/hidden.ts: refuseToShow': RIGHTS,
  'areas/parameters/hidden.ts: refuseToShow': RIGHTS,
  'areas/configuration/override-value/guard.ts: refuseWhere': RIGHTS,
  'areas/content/activation-key/last-location.ts: delete': 'the location is locked, also against references',
  'areas/content/activation-key/environments.ts: refuseUnfit': 'foreign key: activation_key_environments_pair_fkey',
  'areas/content/activation-key/organization.ts: organizationOfEnvironment': FINDS_ONE,
  'areas/events/history/rebuild.ts: refuseUnknownTime': TELLS,
  'areas/provisioning/inventory/routes.ts: scheduleInventory': FINDS_ONE,
  'areas/provisioning/report-template/generate.ts: fetchReport': FINDS_ONE,
  'areas/content/drift/reapply-hosts.ts: requireHosts': FINDS_ONE,
  'areas/content/activation-key/activation-key.ts: refuseWhileNamed': TELLS,
  'areas/content/activation-key/fields.ts: serviceLevel': TELLS,
  'areas/content/content-organization/writes.ts: refuseUnknownLevel': TELLS,
  'areas/content/content-view-filter/repositories.ts: requireRepositoriesOf': TELLS,
  'areas/content/content-view/add-components.ts: viewOfVersion': FINDS_ONE,
  'areas/content/content-view/component-writes.ts: requireVersionOf': 'versions never change their view',
  'areas/content/content-view/components.ts: refuseParts':
    'the view is locked, and index: content_view_components_content_view_id_key',
  'areas/content/content-view/parts.ts: requireParts': RIGHTS,
  'areas/content/content-view-version/promotion.ts: requireEnvironments': FINDS_ONE,
  'areas/content/content-view-version/promotion.ts: requirePromotable': 'the version is locked',
  'areas/content/content-view-version/publishable.ts: refuseTaken':
    'the view is locked, and index: content_view_versions_major_key',
  'areas/content/host-collection/list.ts: limitToHost': FINDS_ONE,
  'areas/content/host-content/content-facet.ts: refuseUnfit': 'foreign key: host_environments_pair_fkey',
  'areas/content/host-content/hostgroup.ts: refuseAbsent': TELLS,
  'areas/content/host-content/host.ts: refuseOrganizationChange': 'the host is locked, also against references',
  'areas/content/host-content/register.ts: pairOf': 'foreign key: host_environments_pair_fkey',
  'areas/content/lifecycle-environment/chain.ts: refuseWhileNeeded':
    'foreign keys: lifecycle_environments_prior_id_fkey, host_environments_pair_fkey, activation_keys_environment_id_fkey',
  'areas/content/product/delete.ts: refuseWhileNeeded':
    'foreign key: content_view_version_repositories_repository_id_fkey; the product and its pools are locked',
  'areas/content/repository/fetching.ts: refuseForeignCredentials': RIGHTS,
  'areas/content/shared/overrides.ts: requireLabels': FINDS_ONE,
  'areas/content/shared/visible-link.ts: requireVisible': RIGHTS,
  'areas/content/subscription/allocations.ts: assertManaged': RIGHTS,
  'areas/content/subscription/allocations.ts: refuseWhileUsed':
    'the pool is locked, as whoever takes uses of it has to',
  'areas/inventory/domain/domain.ts: refuseWhileNaming': TELLS,
  'areas/inventory/host/belonging.ts: refuseForeign': TELLS,
  'areas/inventory/host/interface.ts: refuseWithoutAddress': 'the host is locked',
  'areas/inventory/host/interface.ts: refuseTwin': 'the host is locked',
  'areas/inventory/host/network.ts: changePrimary': 'the host is locked',
  'areas/inventory/host/writes.ts: refuseUnready': 'the host is locked',
  'areas/inventory/hostgroup/hostgroup.ts: buildTreeWrites': 'foreign key: hostgroups_parent_id_fkey',
  'areas/inventory/hostgroup/hostgroup.ts: delete': 'foreign key: hostgroups_parent_id_fkey',
  'areas/places/members.ts: refuseUnchangeable': RIGHTS,
  'areas/places/tree-writes.ts: refuseWithChildren': 'the place is locked, also against references',
  'areas/provisioning/operatingsystem/operatingsystem.ts: refuseKnown':
    'indexes: operatingsystems_name_key, operatingsystems_title_key',
  'areas/provisioning/os-default-template/os-default-template.ts: refuseOtherKind': 'the template is locked',
  'areas/provisioning/provisioning-template/provisioning-template.ts: refuseWhileDefault':
    'the template is locked, as whoever makes it a default has to',
  'areas/registration/binding.ts: releasePools': 'the host is locked',
  'areas/registration/binding.ts: withPoolAudit': 'the host is locked',
  'areas/registration/client/enrol.ts: ownerOfPair': FINDS_ONE,
  'areas/registration/overrides.ts: setOverrides': 'the host is locked',
  'areas/registration/registration-command/host-records.ts: createHost': 'index: hosts_name_key',
  'areas/registration/registration-command/host-records.ts: requireEdit': RIGHTS,
  'areas/reports/config-report/store.ts: storeReport': NO_RULE,
  'areas/tasks/task.ts: planTask': NO_RULE,
  'kernel/taxonomies.ts: refuseForeign': RIGHTS,
  'records/parts.ts: removeOthers': 'its record is locked',
  'records/tree.ts: resolvePosition': 'lock: tree of',
}

/** They look one record up by what the request calls it; a reference to it is a foreign key where it is stored. */
const FINDS = /^(?:choose|export|find|list|load|open|resolve(?!Position)|show)/

test('every refusal by a look-up is held by something', () => {
  const found = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^(?:areas|kernel|records)\/.*\.ts$/.test(file))
    .flatMap((file) => listRefusing(file, readFileSync(join(ROOT, file), 'utf8')))
  expect(found.sort()).toEqual(Object.keys(HELD).sort())
})

test('what is named there exists', () => {
  const migrations = join(ROOT, '../migrations')
  const schema = readdirSync(migrations).map((file) => readFileSync(join(migrations, file), 'utf8'))
  const missing = Object.values(HELD).flatMap((reason) => {
    const [, list = ''] = /(?:index|indexes|foreign keys?): ([^;]+)/.exec(reason) ?? []
    return list.split(', ').filter((name) => !schema.some((text) => text.includes(name)))
  })
  expect(missing).toEqual([])
})

/** Lists the functions of a file that ask the database and refuse, but write nothing. */
function listRefusing(file: string, text: string): string[] {
  if (!/\bsql`/.test(text)) return []
  const found: string[] = []
  const visit = (node: ts.Node) => {
    const name = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) ? node.name?.getText() : undefined
    if (name && !FINDS.test(name) && refusesByLookUp(node)) found.push(`${file}: ${name}`)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

function refusesByLookUp(node: ts.Node): boolean {
  const called = new Set<string>()
  let selects = false
  let throws = false
  const visit = (one: ts.Node) => {
    if (ts.isCallExpression(one)) called.add(one.expression.getText())
    if (ts.isThrowStatement(one)) throws = true
    if (ts.isTaggedTemplateExpression(one)) selects ||= /\bselect\b/.test(one.getText())
    ts.forEachChild(one, visit)
  }
  ts.forEachChild(node, visit)
  const asks = ['row', 'rows', 'loadOnce'].some((name) => called.has(name))
  return asks && selects && (throws || called.has('refuseInvalid') || called.has('refusal'))
}
