/** Settings about reports of and about hosts. */
export const REPORT_SETTINGS = {
  config_reports_keep: {
    type: 'integer',
    default: 7,
    min: 1,
    max: 36_500,
    category: 'Configuration',
    fullName: 'Keep configuration reports',
    description: 'Days after which configuration reports are deleted; what the last one said of its host stays.',
  },
  outofsync_interval: {
    type: 'integer',
    default: 30,
    min: 1,
    max: 525_600,
    category: 'Configuration',
    fullName: 'Out of sync interval',
    description:
      'Minutes that a configuration report may be late before its host is out of sync; also how often hosts report of which nothing else is known.',
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
