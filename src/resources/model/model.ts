import { text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

const KEYS = ['info', 'created_at', 'updated_at', 'vendor_class', 'hardware_model', 'id', 'name']

/** Core-api §11. */
export const models = defineResource({
  name: 'model',
  summary: 'A model of hardware that hosts are.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    info: text({ max: 65_535, search: 'free', doc: 'For people.' }),
    vendor_class: text({ search: 'free', doc: 'What it calls itself when it boots from the network.' }),
    hardware_model: text({ search: 'free', doc: 'What installers know it by.' }),
  },
  label: 'name',
  views: { list: KEYS, show: KEYS },
})
