/** The permissions on hosts. */
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

/** The keys of answers for the actions that the caller may perform on a host, each with its permission. */
export const HOST_RECORD_PERMISSIONS = Object.fromEntries(HOST_PERMISSIONS.map((name) => [name, name]))
