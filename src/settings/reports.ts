/** Settings about reports of and about hosts. */
export const REPORT_SETTINGS = {
  config_reports_keep: {
    type: 'integer',
    default: 7,
    min: 1,
    max: 36_500,
    category: 'Configuration',
    fullName: 'Keep configuration reports',
    description: 'Days after which configuration reports are deleted; the state from the last report stays.',
  },
  outofsync_interval: {
    type: 'integer',
    default: 30,
    min: 1,
    max: 525_600,
    category: 'Configuration',
    fullName: 'Out of sync interval',
    description:
      'Minutes of delay of a configuration report before its host is out of sync; also the default report interval of hosts.',
  },
  config_interval: {
    type: 'integer',
    default: 35,
    min: 1,
    max: 525_600,
    category: 'Configuration',
    fullName: 'Configuration interval',
    description: 'Minutes between the reports of an agent of the configuration engine.',
  },
  config_out_of_sync_disabled: {
    type: 'boolean',
    default: false,
    category: 'Configuration',
    fullName: 'Configuration out of sync disabled',
    description: 'Whether hosts with an agent of the configuration engine are never out of sync.',
  },
  playbook_inventory_template: {
    type: 'string',
    default: 'Ansible - Ansible Inventory',
    max: 255,
    category: 'Provisioning',
    fullName: 'Playbook inventory template',
    description:
      'Name of the report template that inventories of playbooks are made with. The rows of the one that the service brings along are made without its text.',
  },
} as const
