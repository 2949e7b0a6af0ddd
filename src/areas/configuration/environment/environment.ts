import { defineResource, links, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { COMBINATION_KEYS } from '../../provisioning/index.ts'
import { dropParametersOf } from '../configclass/environments.ts'
import { importIntoEnvironment } from '../import/import-actions.ts'

const KEYS = ['created_at', 'updated_at', 'name', 'id']

/** Environments of the configuration engine (core-api §11). */
export const environments = defineResource({
  name: 'environment',
  summary: 'An environment of the configuration engine: hosts in it get its version of the classes.',
  fields: {
    name: text({
      required: true,
      pattern: { regexp: /^[A-Za-z0-9_]*$/, message: 'is alphanumeric and cannot contain spaces' },
      search: 'free',
      doc: 'Unique; letters, digits and underscores.',
    }),
    template_combinations: children('template_combination', {
      show: COMBINATION_KEYS,
      doc: 'Provisioning templates of its hosts.',
    }),
    configclasses: links('configclass', {
      through: 'configclass_environments',
      readOnly: true,
      show: ['id', 'name', 'module_name'],
      doc: 'The config classes that are in it.',
    }),
    ...buildTaxonomyFields('environment'),
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'template_combinations', 'configclasses', 'locations', 'organizations'] },
  visibility: { taxable: true },
  routes: { parents: { configclass: 'configclasses' } },
  permissions: { further: ['import_environments'] },
  actions: [importIntoEnvironment],
  wrapWrite: {
    async delete(ctx, stored, next, resource) {
      await dropParametersOf(ctx, resource, stored.id)
      await next()
    },
  },
})
