import { z } from 'zod'
import { TYPES } from '../../classification/cast.ts'
import { inTransaction } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { REFERENCE_SECRETS } from '../../encryption/hidden-values.ts'
import {
  type Action,
  boolean,
  defineResource,
  joinConditions,
  limitToVisible,
  link,
  lock,
  removeStored,
  resolveParents,
  text,
} from '../../kernel/index.ts'
import { json } from '../../records/json.ts'
import type { SearchField } from '../../search/index.ts'
import { sql } from '../../sql.ts'
import { HIDDEN_QUERY } from '../access/index.ts'
import { isGlobal, NESTED_KEYS, PARAMETER_KEYS } from './columns.ts'
import { refuseToShow, revealHidden, valueSearch } from './hidden.ts'
import { refuseForeignOwner } from './owner.ts'
import { asSent, validateParameterValue, withCastValue } from './values.ts'

const FIELDS = {
  name: text({
    required: true,
    pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
    search: 'free',
    doc: 'Unique among the parameters of its owner, without spaces.',
  }),
  parameter_type: text({
    oneOf: TYPES,
    blank: 'string',
    search: 'free',
    doc: 'Type of the value; string by default.',
  }),
  value: json({
    exact: true,
    ordered: 'parameters',
    maskedBy: 'hidden_value',
    doc: 'The value, as JSON or as text that its type understands (`"[1, 2]"` for an array).',
  }),
  as_sent: asSent(),
  hidden_value: boolean({
    initial: false,
    doc: 'Shows the value only to users with reveal_params who send show_hidden=true.',
  }),
}

/** Global parameters: every host has them unless a nearer level has one of that name (core-api §11). */
export const commonParameters = defineResource({
  name: 'common_parameter',
  words: { type: 'Parameter' },
  permissions: { word: 'params', further: ['reveal_params', REFERENCE_SECRETS] },
  summary: 'A named value of all hosts; a nearer parameter of the same name overrides it.',
  fields: FIELDS,
  label: 'name',
  views: {
    query: HIDDEN_QUERY,
    list: ['created_at', 'updated_at', 'id', 'name', 'parameter_type', 'hidden_value?', 'value'],
    show: ['created_at', 'updated_at', 'id', 'name', 'parameter_type', 'hidden_value?', 'value'],
    deleted: ['id', 'name', 'value', 'created_at', 'updated_at', 'priority', 'hidden_value', 'key_type'],
    transform: revealHidden,
  },
  readable: PARAMETER_KEYS,
  search: searchFields(),
  records: { where: (_ctx, alias) => isGlobal(alias), table: 'parameters' },
  rules: [validateParameterValue],
  wrapWrite: {
    create: (_ctx, draft, next) => next(withCastValue(draft, null)),
    update: async (ctx, stored, draft, next, resource) => {
      await refuseToShow(ctx, resource, stored, draft)
      await next(withCastValue(draft, stored))
    },
  },
})

/** Parameters of a host, or of something that a host is in (core-api §11, smart-parameters §5.4). */
export const parameters = defineResource({
  name: 'parameter',
  permissions: { word: 'params', further: ['reveal_params', REFERENCE_SECRETS] },
  summary: 'A named value of the hosts of its owner; a nearer parameter of the same name overrides it.',
  fields: {
    ...FIELDS,
    organization: buildOwner('organization'),
    location: buildOwner('location'),
    domain: buildOwner('domain'),
    subnet: buildOwner('subnet'),
    operatingsystem: buildOwner('operatingsystem'),
    hostgroup: buildOwner('hostgroup'),
    host: buildOwner('host'),
  },
  label: 'name',
  views: {
    query: HIDDEN_QUERY,
    list: NESTED_KEYS,
    show: NESTED_KEYS,
    deleted: [
      'id',
      'name',
      'value',
      'reference_id',
      'created_at',
      'updated_at',
      'priority',
      'hidden_value',
      'key_type',
    ],
    transform: revealHidden,
  },
  routes: {
    parents: {
      operatingsystem: 'operatingsystem',
      domain: 'domain',
      subnet: 'subnet',
      hostgroup: 'hostgroup',
      host: 'host',
      location: 'location',
      organization: 'organization',
    },
    nestedOnly: true,
  },
  wire: { createEditsParent: true },
  readable: PARAMETER_KEYS,
  search: searchFields(),
  rules: [validateParameterValue],
  wrapWrite: {
    create: (_ctx, draft, next) => next(withCastValue(draft, null)),
    update: async (ctx, stored, draft, next, resource) => {
      await refuseForeignOwner(ctx, resource, stored)
      await refuseToShow(ctx, resource, stored, draft)
      await next(withCastValue(draft, stored))
    },
    delete: async (ctx, stored, next, resource) => {
      await refuseForeignOwner(ctx, resource, stored)
      await next()
    },
  },
  actions: [reset()],
})

function buildOwner(resource: string) {
  return link(resource, {
    readOnly: true,
    onDelete: 'cascade',
    doc: 'Record that the parameter belongs to, if it is of this type.',
  })
}

/** The action that removes every parameter of an owner. */
function reset(): Action {
  return {
    method: 'DELETE',
    path: '',
    name: 'reset',
    summary: 'Delete all parameters of one record',
    permissions: ['destroy_params'],
    output: z.array(z.json()).max(0).meta({ description: 'Always empty: no parameter is left.' }),
    handle: async (ctx, resource, input) => {
      const { conditions } = await resolveParents(ctx, resource, input)
      await inTransaction(ctx, async (tx) => {
        const removable = joinConditions([...limitToVisible(tx, resource, 'destroy_params'), ...conditions])
        const found = await rows<{ id: number }>(
          tx.db,
          sql`select t.id from parameters t where ${removable} order by t.id`,
        )
        for (const { id } of found) await removeStored(tx, resource, await lock(tx, resource, id))
      })
      return { status: 200, body: [] }
    },
  }
}

function searchFields(): SearchField[] {
  const buildNameSearch = (name: string, table: string, column: string, owner: string): SearchField => ({
    name,
    type: 'text',
    column,
    through: [{ table, column: 'id', previous: `${owner}_id` }],
    nullable: true,
    explicit: true,
  })
  return [
    valueSearch,
    { name: 'key_type', aliases: ['type'], type: 'text', column: 'parameter_type', explicit: true },
    buildNameSearch('domain_name', 'domains', 'name', 'domain'),
    buildNameSearch('host_group_name', 'hostgroups', 'name', 'hostgroup'),
    buildNameSearch('host_name', 'hosts', 'name', 'host'),
    buildNameSearch('location_name', 'locations', 'name', 'location'),
    buildNameSearch('organization_name', 'organizations', 'name', 'organization'),
    buildNameSearch('os_name', 'operatingsystems', 'name', 'operatingsystem'),
    buildNameSearch('subnet_name', 'subnets', 'name', 'subnet'),
  ]
}
