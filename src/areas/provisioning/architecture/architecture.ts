import { defineResource, links, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'

/** Architectures (spec 2.6 and 4.5, core-api §1.7). */
export const architectures = defineResource({
  name: 'architecture',
  summary: 'A processor architecture that operating systems can be installed on.',
  fields: {
    name: text({
      required: true,
      pattern: { regexp: /^\S*$/u, message: "can't contain spaces." },
      search: 'free',
      doc: 'For example x86_64.',
    }),
    operatingsystems: links('operatingsystem', {
      through: 'architecture_operatingsystems',
      show: ['id', 'name', 'title'],
      doc: 'Operating systems that can be installed on it.',
    }),
    images: children('image', { doc: 'Images of it; they are deleted with it.' }),
  },
  label: 'name',
  views: {
    list: ['created_at', 'updated_at', 'name', 'id'],
    show: ['created_at', 'updated_at', 'name', 'id', 'operatingsystems', 'images'],
  },
  routes: { parents: { operatingsystem: 'operatingsystems' } },
})
