/** The verbs of permissions on hosts. */
export const HOST_PERMISSIONS = [
  'view_hosts',
  'create_hosts',
  'edit_hosts',
  'destroy_hosts',
  'build_hosts',
  'power_hosts',
  'console_hosts',
  'ipmi_boot_hosts',
  'forget_status_hosts',
  'configrun_hosts',
]

/** The permissions for one host, by the keys of answers. */
export const HOST_RECORD_PERMISSIONS = Object.fromEntries(HOST_PERMISSIONS.map((name) => [name, name]))
