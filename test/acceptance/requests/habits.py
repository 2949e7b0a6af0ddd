"""What stricter clients of this API do, with nothing but requests: every line here is a habit that was seen of one.

Takes the address of the vendor listener, a login and a password; prints what it did, and fails at the first surprise.
"""

import sys

import requests

server, login, password = sys.argv[1:4]
session = requests.Session()
session.auth = (login, password)


def call(method, path, status, json=None, **more):
    answer = session.request(method, server + path, json=json, timeout=30, **more)
    assert answer.status_code == status, f'{method} {path}: {answer.status_code} instead of {status}: {answer.text}'
    if answer.content:
        assert answer.headers['content-type'].startswith('application/json'), answer.headers['content-type']
    print(method, path, status)
    return answer


def body(method, path, status=200, json=None, **more):
    return call(method, path, status, json, **more).json()


# Searches come as JSON bodies of GET, without a query.
arch = body('POST', '/api/v2/architectures', 201, {'name': 'sparc64'})
found = body('GET', '/api/v2/architectures', json={'search': 'name="sparc64"', 'per_page': 4294967296})
assert [one['id'] for one in found['results']] == [arch['id']], found
assert found['per_page'] == 4294967296

# Updates are flat, and whole records are sent back with what is read-only and what is unknown.
changed = body('PUT', f'/api/v2/architectures/{arch["id"]}', json={'name': 'sparc'})
assert changed['name'] == 'sparc'
sent_back = {**changed, 'created_at': '', 'operatingsystem_ids': None, 'nobody_knows_this': 1}
again = body('PUT', f'/api/architectures/{arch["id"]}', json={'architecture': sent_back, 'location_id': None})
assert again == changed, (again, changed)

# Versions of the API are asked for in more than one way, and paths end in slashes.
# One that nobody knows is answered as the newest.
for accept in ['application/json;version=2', 'application/json,version=2', '*/*', 'version=2,application/json',
               'application/json;version=9']:
    page = body('GET', '/api/architectures/?search=name=sparc', headers={'Accept': accept})
    assert page['subtotal'] == 1

# The provider of Terraform joins paths that end and begin in slashes, finds settings by name, and sends all keys of a subnet,
# those that are nothing as null.
terraform = {'Accept': 'application/json,version=2'}
setting = body('GET', '/api//settings/entries_per_page', headers=terraform)
assert setting['name'] == 'entries_per_page' and setting['value'] == 20, setting
listed = body('GET', '//api/settings', params={'search': 'name="entries_per_page"'}, headers=terraform)
assert [one['id'] for one in listed['results']] == [setting['id']], listed
subnet = body('POST', '//api//subnets', 201, headers=terraform, json={'subnet': {
    'name': 'terraform', 'network': '198.51.100.0', 'mask': '255.255.255.0', 'network_type': 'IPv4', 'boot_mode': 'Static',
    'httpboot_id': None, 'tftp_id': None, 'dns_id': None, 'dhcp_id': None, 'template_id': None, 'bmc_id': None,
}})
read = body('GET', f'/api//subnets/{subnet["id"]}', headers=terraform)
assert read['httpboot_id'] is None and read['httpboot_name'] is None, read
kept = body('PUT', f'/api/subnets/{subnet["id"]}', json={'subnet': {**read, 'vlanid': 7}}, headers=terraform)
assert kept['vlanid'] == 7 and kept['network'] == '198.51.100.0', kept
call('DELETE', f'//api/subnets/{subnet["id"]}', 200, headers=terraform)

# A directory is read by a PUT without anything in it.
ldap = body('POST', '/api/auth_source_ldaps', 201, {
    'auth_source_ldap': {'name': 'Directory', 'host': 'ldap.example.com', 'server_type': 'free_ipa'},
})
read = body('PUT', f'/api/v2/auth_source_ldaps/{ldap["id"]}', json={})
assert read['host'] == 'ldap.example.com' and read['server_type'] == 'free_ipa', read

# Keys of activation, as the content side has them: flat bodies, text numbers, tasks for what is deleted.
organization = body('POST', '/katello/api/organizations', 201, {'name': 'Habits'})
library = body('GET', f'/katello/api/organizations/{organization["id"]}/environments', params={'search': 'name=Library'})
development = body('POST', '/katello/api/v2/environments', 201, {
    'organization_id': organization['id'], 'name': 'Dev', 'prior_id': library['results'][0]['id'],
})
assert development['prior']['name'] == 'Library'
key = body('POST', '/katello/api/v2/activation_keys', 201, {'organization_id': organization['id'], 'name': 'web'})
assert key['id'] > 0 and key['unlimited_hosts'] is True
listed = body('GET', '/katello/api/v2/activation_keys', json={'organization_id': organization['id'], 'per_page': 4294967296})
assert listed['subtotal'] == 1 and listed['error'] is None and listed['selectable'] == 1, listed
limited = body('PUT', f'/katello/api/v2/activation_keys/{key["id"]}', json={
    'organization_id': organization['id'], 'max_hosts': 5, 'unlimited_hosts': False,
})
assert limited['max_hosts'] == 5
collection = body('POST', '/katello/api/host_collections', 201, {'organization_id': organization['id'], 'name': 'racks'})
with_it = body('POST', f'/katello/api/activation_keys/{key["id"]}/host_collections', json={'host_collection_ids': [collection['id']]})
assert [one['id'] for one in with_it['host_collections']] == [collection['id']], with_it
without = body('PUT', f'/katello/api/activation_keys/{key["id"]}/host_collections', json={'host_collection_ids': [collection['id']]})
assert without['host_collections'] == [], without
task = body('DELETE', f'/katello/api/activation_keys/{key["id"]}', 202)
polled = body('GET', f'/foreman_tasks/api/tasks/{task["id"]}')
assert polled['state'] == 'stopped' and polled['result'] == 'success', polled

# Errors are looked for in these places.
refused = body('POST', '/api/architectures', 422, {'architecture': {'name': ''}})
assert refused['error']['full_messages'] == ["Name can't be blank"], refused
refused = body('POST', '/katello/api/activation_keys', 422, {'organization_id': organization['id'], 'name': ' x'})
assert 'white spaces' in refused['displayMessage'], refused
assert body('GET', '/api/architectures/99999999', 404)['error']['message']
assert 'displayMessage' in body('GET', '/katello/api/activation_keys/99999999', 404)
assert body('GET', '/api/nowhere', 404)
for path in ['/api/architectures/', '/api/architectures/-1']:
    call('DELETE', path, 404)
assert call('GET', '/api/architectures', 401, auth=('admin', 'wrong')).json()['error']['message']

# Before anything else clients look whether what they know of the server is still true.
checksum = requests.get(server + '/apidoc/apipie_checksum', timeout=30).json()['checksum']
assert call('GET', '/api/status', 200).headers['Apipie-Checksum'] == checksum
assert body('GET', '/api/status')['version'].startswith('3.12.')
for path in ['/apidoc/v2.json', '/apidoc/v2.en.json']:
    resources = requests.get(server + path, timeout=60).json()['docs']['resources']
    assert {'hosts', 'home', 'subscriptions', 'activation_keys', 'architectures'} <= set(resources)
assert requests.get(server + '/api/ping', timeout=30).status_code == 200

call('DELETE', f'/api/architectures/{arch["id"]}', 200)
print('done')
