import { z } from 'zod'
import { toNodeValue } from '../../../classification/output.ts'
import type { Context } from '../../../context.ts'
import { findRecord, findResource, permissionOf, type Registry } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { asksForHidden } from '../../access/index.ts'
import { computeClassification } from '../node/classify.ts'
import { loadNodes } from '../node/node.ts'
import { loadViewer } from '../node/viewer.ts'
import { toField } from '../smart-class-parameter/values.ts'

type Document = z.output<typeof DOCUMENT>
type DocumentSide = Document['before']

/** Computes the document of a host before a write; the result, called after it, computes it again and compares. */
export async function watchDocument(
  ctx: Context,
  registry: Registry,
  host: string,
  query: Input['query'],
): Promise<() => Promise<Document>> {
  const hosts = findResource(registry, 'host')
  const input = { params: { id: host }, query: {}, body: {} }
  const { id } = await findRecord(ctx, hosts, input, { permission: permissionOf(hosts, 'view') })
  const look = async (): Promise<DocumentSide> => {
    const [prepared] = await loadNodes(ctx, [id], await loadViewer(ctx, hosts, id, asksForHidden(query)))
    if (!prepared) return { document: null, failures: [] }
    const { document, failures } = computeClassification(prepared, ctx.encryption.decrypt)
    return {
      document: document && (toField(toNodeValue(document)) as DocumentSide['document']),
      failures: [...failures],
    } // JSON
  }
  const before = await look()
  return async () => ({ host_id: id, before, after: await look() })
}

const side = z.object({
  document: z
    .record(z.string(), z.json())
    .nullable()
    .meta({ description: 'As `GET /api/hosts/:id/enc` shows it to the caller; null where there is none.' }),
  failures: z.array(z.string()).meta({ description: 'Reason why there is no document.' }),
})

/** The schema of a host's document before and after a previewed write. */
export const DOCUMENT = z.object({
  host_id: z.int().meta({ description: 'Id of the host.' }),
  before: side.meta({ description: 'The current document of the host.' }),
  after: side.meta({ description: 'The document after the change.' }),
})
