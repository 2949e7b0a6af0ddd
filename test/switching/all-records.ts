import type { Caller } from '../support/api.ts'
import type { Shown } from '../support/given.ts'

/** Lists, and what is below each of their records. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/api/settings': [],
  '/api/locations': ['parameters'],
  '/api/organizations': ['parameters'],
  '/api/common_parameters': [],
  '/api/auth_source_ldaps': [],
  '/api/roles': [],
  '/api/users': ['ssh_keys'],
  '/api/usergroups': ['external_usergroups'],
  '/api/filters': [],
  '/api/smart_proxies': [],
  '/api/http_proxies': [],
  '/api/architectures': [],
  '/api/models': [],
  '/api/media': [],
  '/api/ptables': [],
  '/api/provisioning_templates': ['template_combinations'],
  '/api/report_templates': [],
  '/api/webhook_templates': [],
  '/api/operatingsystems': ['os_default_templates', 'parameters'],
  '/api/environments': [],
  '/api/configclasses': [],
  '/api/config_groups': [],
  '/api/smart_class_parameters': ['override_values'],
  '/api/realms': [],
  '/api/domains': ['parameters'],
  '/api/subnets': ['parameters'],
  '/api/compute_resources': ['images'],
  '/api/compute_profiles': ['compute_attributes'],
  '/content/api/content_credentials': [],
  '/content/api/environments': [],
  '/content/api/products': [],
  '/content/api/repositories': [],
  '/content/api/content_views': [],
  '/content/api/host_collections': [],
  '/api/hostgroups': ['parameters'],
  '/api/hosts': ['parameters', 'interfaces', 'facts'],
  '/api/bookmarks': [],
  '/content/api/content_view_filters': [],
  '/content/api/content_view_versions': [],
}

/**
 * Everything that a server shows of its records, without ids and times, which differ between servers: records by their list,
 * each with what is below it.
 */
export async function listAll(admin: Caller): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {}
  for (const [path, below] of Object.entries(LISTS)) {
    const records = await readAll(admin, path)
    const whole = []
    for (const record of records) {
      const { body } = await admin.get(`${path}/${record.id}?show_hidden=true&show_hidden_parameters=true`)
      const parts = []
      for (const part of below)
        parts.push(...(await readAll(admin, `${path}/${record.id}/${part}`)).map((one) => [part, one]))
      whole.push(withoutIds([body, ...parts]))
    }
    all[path] = whole.map((one) => JSON.stringify(one, null, 1)).sort()
  }
  return all
}

async function readAll(admin: Caller, path: string): Promise<readonly Shown[]> {
  const { status, body, text } = await admin.get(`${path}?per_page=all&show_hidden=true`)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return Array.isArray(body.results) ? body.results : (Object.values(body.results).flat() as Shown[])
}

/** Replaces ids and times by nothing, and sorts lists of records: their order is that of ids. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value.length
  if (Array.isArray(value))
    return value.map(withoutIds).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !OF_ONE_SERVER.test(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutIds(inner)]))
}

const OF_ONE_SERVER =
  /^(?:id|ids|.*_ids?|ancestry|uuid|.*_at|last_login_on|content_label|relative_path|full_path|last_publi.*|.*(?:seconds|_words|creator)|permissions|images|publish_date|active_task_count|configuration_status_label|last_task|history|cloned_from_id|default_content_view.*|versions?|latest_version.*)$/
