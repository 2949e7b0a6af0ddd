import { z } from 'zod'
import { defineResource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { HIDDEN_QUERY } from '../../access/index.ts'
import { type Watch, withPreview } from '../explanation/preview.ts'
import { withErrorsByField } from '../smart-class-parameter/by-field.ts'
import { watchParameterById } from '../smart-class-parameter/preview.ts'
import { OVERRIDE_WORDS, selectOverrideValue } from '../smart-class-parameter/readable.ts'
import { VIEW } from '../smart-class-parameter/scope.ts'
import { PARAMETER_PATHS } from '../smart-class-parameter/smart-class-parameter.ts'
import { isHidden, overrideFields } from './fields.ts'
import { createOverride, deleteOverride, listOverrides, showOverride, updateOverride } from './operations.ts'
import { CREATING, findParameterOfPath, WRITING } from './scope.ts'
import { limitToVisibleOverrides, SHARED } from './within-reach.ts'

const KEYS = ['id', 'match', 'value', 'omit', 'use_config_default', 'created_at', 'updated_at']

/**
 * Override values (smart-parameters §2). They are visible with their parameter, if everything that they can match is
 * within the caller's reach (docs/decisions/0018-matchers.md). Failed validation answers 500 as for parameters (spec
 * 7), and paths name them by id or match text, so that all operations are actions.
 */
export const overrideValues = defineResource({
  name: 'override_value',
  summary: 'The value of a smart class parameter for hosts that match.',
  fields: overrideFields,
  operations: [],
  label: 'match',
  routes: { namedBy: 'label', parents: { smart_class_parameter: 'smart_class_parameter' }, nestedOnly: true },
  permissions: { further: Object.values(SHARED), word: 'external_parameters' },
  records: { limits: limitToVisibleOverrides },
  views: { list: KEYS, show: KEYS, deleted: KEYS, order: 'id' },
  readable: {
    value: {
      schema: () => z.json().meta({ description: OVERRIDE_WORDS.value }),
      sql: (alias) => selectOverrideValue(alias, isHidden(alias)),
    },
    use_config_default: {
      schema: () => z.boolean().meta({ description: 'Deprecated name of omit.' }),
      sql: (alias) => sql.ref(`${alias}.omit`),
    },
  },
  visibility: { partOf: 'smart_class_parameter' },
  wire: { below: PARAMETER_PATHS.map((path) => `${path}/smart_class_parameters/:smart_class_parameter_id`) },
  actions: [
    {
      method: 'GET',
      path: '',
      name: 'list',
      summary: 'List the values that override a parameter',
      permissions: [VIEW],
      query: HIDDEN_QUERY,
      outputs: 'list',
      handle: listOverrides,
    },
    {
      method: 'GET',
      path: '/:id',
      name: 'show',
      summary: 'Show one override',
      permissions: [VIEW],
      query: HIDDEN_QUERY,
      handle: showOverride,
    },
    withErrorsByField(
      withPreview(
        {
          method: 'POST',
          path: '',
          name: 'create',
          summary: 'Override a parameter',
          permissions: CREATING,
          query: HIDDEN_QUERY,
          takes: 'create',
          status: 201,
          handle: createOverride,
        },
        watchOverrides(CREATING),
      ),
    ),
    withErrorsByField(
      withPreview(
        {
          method: 'PUT',
          path: '/:id',
          name: 'update',
          summary: 'Change one override',
          permissions: WRITING,
          query: HIDDEN_QUERY,
          takes: 'update',
          handle: updateOverride,
        },
        watchOverrides(WRITING),
      ),
    ),
    withPreview(
      {
        method: 'DELETE',
        path: '/:id',
        name: 'delete',
        summary: 'Delete one override',
        permissions: WRITING,
        query: HIDDEN_QUERY,
        handle: deleteOverride,
      },
      watchOverrides(WRITING),
    ),
  ],
})

/** Watches writes of overrides, which change the parameter in the path. */
function watchOverrides(permissions: readonly string[]): Watch {
  return async (ctx, resource, input) =>
    watchParameterById(ctx, await findParameterOfPath(ctx, resource, input, permissions))
}
