import type { Section } from '../../resources/form/sections.tsx'

/** The fields of a host in the order in which people think of them. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'host.section.place',
    keys: ['name', 'hostgroup_id', 'organization_id', 'location_id', 'owner_type', 'owner_id', 'comment'],
  },
  {
    title: 'host.section.system',
    keys: [
      ...['managed', 'build', 'operatingsystem_id', 'architecture_id', 'medium_id', 'ptable_id', 'pxe_loader'],
      ...['root_pass', 'model_id', 'provision_method', 'image_id'],
    ],
  },
  {
    title: 'host.section.network',
    keys: ['domain_id', 'realm_id', 'ip', 'ip6', 'mac', 'subnet_id', 'subnet6_id', 'interfaces_attributes'],
  },
  {
    title: 'host.section.classes',
    keys: ['environment_id', 'config_proxy_id', 'config_ca_proxy_id', 'config_group_ids', 'configclass_ids'],
  },
  { title: 'host.parameters', keys: ['host_parameters_attributes'] },
  {
    title: 'host.content',
    keys: ['host_collection_ids', 'content_facet_attributes', 'subscription_facet_attributes'],
  },
]
