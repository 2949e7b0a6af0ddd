import { type Field, type Link, link, links } from '../kernel/index.ts'

/** The two fields of taxable resources. */
export function buildTaxonomyFields(resource: string) {
  const show = ['id', 'name', 'title', 'description']
  return {
    locations: links('location', {
      doc: 'Locations it belongs to.',
      through: `${resource}_locations`,
      show,
      search: 'name',
    }),
    organizations: links('organization', {
      doc: 'Organizations it belongs to.',
      through: `${resource}_organizations`,
      show,
      search: 'name',
    }),
  }
}

/** The field of resources that belong to one organization; default: the organization of the request. */
export function organizationField(): Field<number> & Link {
  const field = link('organization', {
    required: true,
    onDelete: 'cascade',
    show: ['name', 'label', 'id'],
    doc: 'Organization it belongs to, for ever.',
  })
  return { ...field, required: false }
}
