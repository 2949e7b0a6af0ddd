import { defineResource } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { withPreview } from '../explanation/preview.ts'
import { withErrorsByField } from './by-field.ts'
import { explainForHost } from './explain.ts'
import { parameterFields } from './fields.ts'
import { EDIT, REVEAL } from './hidden.ts'
import { lintParameters } from './lint.ts'
import { listParameters, showParameter, updateParameter } from './operations.ts'
import { watchParameter } from './preview.ts'
import { parameterReadable } from './readable.ts'
import { revise } from './revise.ts'
import { VIEW } from './scope.ts'
import { winners } from './winners.ts'

const KEYS = [
  'parameter',
  'id',
  'configclass_id',
  'override_values_count',
  'description',
  'override',
  'parameter_type',
  'hidden_value?',
  'omit',
  'required',
  'validator_type',
  'validator_rule',
  'merge_overrides',
  'merge_default',
  'avoid_duplicates',
  'override_value_order',
  'created_at',
  'updated_at',
  'default_value',
  'use_config_default',
  'configclass_name',
]

/** Paths below a class and an environment, in either order. */
const IN_BOTH = [
  'environments/:environment_id/configclasses/:configclass_id',
  'configclasses/:configclass_id/environments/:environment_id',
]

/** Every path of parameters except the flat one (smart-parameters §1.1). */
export const PARAMETER_PATHS = [
  'configclasses/:configclass_id',
  'environments/:environment_id',
  'hosts/:host_id',
  'hostgroups/:hostgroup_id',
  ...IN_BOTH,
]

const SEEING = [VIEW, 'view_configclasses']

/**
 * Smart class parameters (spec 2.8 and 4.7, smart-parameters §1). They are created by imports. Failed validation
 * answers 500 (spec 7) and missing records have an answer of their own (smart-parameters §1.7), so that all operations
 * are actions.
 */
export const smartClassParameters = defineResource({
  name: 'smart_class_parameter',
  summary: 'A parameter of a config class, with its default value and overrides.',
  fields: parameterFields,
  operations: [],
  label: 'parameter',
  permissions: {
    further: ['create_external_parameters', 'destroy_external_parameters', REVEAL],
    word: 'external_parameters',
  },
  views: { list: KEYS, show: [...KEYS, 'configclass', 'environments', 'override_values'], order: 'key' },
  readable: parameterReadable,
  search: [
    { name: 'key', aliases: ['parameter'], type: 'text', column: 'parameter' },
    {
      name: 'configclass',
      aliases: ['configclass_name'],
      type: 'text',
      column: 'name',
      through: [{ table: 'configclasses', column: 'id', previous: 'configclass_id' }],
    },
    searchByLinked('environment', {
      through: 'class_parameter_environments',
      own: 'smart_class_parameter_id',
      other: 'environment_id',
      table: 'environments',
      resource: 'environment',
    }),
  ],
  routes: {
    parents: { configclass: 'configclass', environment: 'environments', host: 'host', hostgroup: 'hostgroup' },
  },
  wire: { below: IN_BOTH, suggests: true },
  wrapWrite: { update: revise },
  actions: [
    {
      method: 'GET',
      path: '',
      name: 'list',
      summary: 'List smart class parameters',
      permissions: SEEING,
      query: HIDDEN_QUERY,
      outputs: 'list',
      handle: listParameters,
    },
    {
      method: 'GET',
      path: '/:id',
      name: 'show',
      summary: 'Show one smart class parameter',
      permissions: SEEING,
      query: HIDDEN_QUERY,
      handle: showParameter,
    },
    withErrorsByField(
      withPreview(
        {
          method: 'PUT',
          path: '/:id',
          name: 'update',
          summary: 'Change one smart class parameter',
          permissions: [EDIT, 'edit_configclasses'],
          query: HIDDEN_QUERY,
          takes: 'update',
          handle: updateParameter,
        },
        watchParameter,
      ),
    ),
    explainForHost,
    winners,
    lintParameters,
  ],
})
