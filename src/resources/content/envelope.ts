import { z } from 'zod'

/** The envelope of lists below `/content/api`, with these records, for actions whose records are of other resources. */
export function contentList(record: z.ZodType, description: string): z.ZodObject {
  return z
    .object({
      total: z.int().meta({ description: 'Records that the caller may see.' }),
      subtotal: z.int().meta({ description: 'Those of them that the search finds.' }),
      selectable: z.int().meta({ description: 'The same.' }),
      page: z.int().meta({ description: 'Number of this page.', examples: [1] }),
      per_page: z.int().meta({ description: 'Records on a full page.', examples: [20] }),
      search: z.string().nullable().meta({ description: 'The search, as sent.' }),
      error: z.null().meta({ description: 'Always null: a search that cannot be understood is refused.' }),
      sort: z
        .object({
          by: z.string().nullable().meta({ description: 'The field that they are sorted by.' }),
          order: z.string().nullable().meta({ description: 'Its direction.' }),
        })
        .meta({ description: 'The order.' }),
      can_create: z.boolean().optional().meta({ description: 'With include_permissions: whether the caller may.' }),
      can_edit: z.boolean().optional().meta({ description: 'With include_permissions: whether the caller may.' }),
      results: z.array(record).meta({ description: 'The records of this page.' }),
    })
    .meta({ description })
}
