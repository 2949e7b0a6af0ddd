import type { Sql } from '../../../database/sql.ts'
import { links, text } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { appliedTo } from './applied.ts'
import { ownParameters } from './parameters.ts'

/** The fields of config classes (smart-parameters §8). */
export const classFields = {
  name: text({
    required: true,
    pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
    search: 'free',
    doc: 'Unique, for example web::ssl.',
  }),
  environments: links('environment', {
    through: 'configclass_environments',
    show: ['name', 'id'],
    doc: 'Environments of the class.',
  }),
  hostgroups: links('hostgroup', {
    through: 'hostgroup_configclasses',
    show: ['id', 'name', 'title', 'description'],
    doc: 'Host groups to which it is assigned directly.',
  }),
  smart_class_parameters: ownParameters(),
  hosts: appliedTo('host', 'Hosts that have it in any way.', isAmong),
  groups: appliedTo('hostgroup', 'Host groups that have it in any way.', isAmong),
}

/** The fields above, by which drafts and rows are typed. */
export type ClassFields = typeof classFields

function isAmong(alias: string, classes: Sql): Sql {
  return sql`${sql.ref(`${alias}.id`)} in (${classes})`
}
