import { membersOf } from '../lib/values.ts'
import type { Rest } from './arguments.ts'
import type { Session } from './commands/session.ts'
import { EXIT, Failure } from './failure.ts'
import { printRecord } from './output.ts'
import { printAnswer } from './perform.ts'
import { askWell } from './request.ts'
import { takeWord, targetOf } from './taking.ts'
import { treeOf } from './tree.ts'

/** Prints as a tree why a host gets a value. */
export async function explainParameter(session: Session, rest: Rest): Promise<number> {
  const words = [...rest.words]
  const form = 'classes explain HOST PARAMETER'
  const host = takeWord(rest, words, ['host'], form)
  const parameter = takeWord(rest, words, ['parameter', 'sc-param'], form)
  const path = `/api/hosts/${encodeURIComponent(host)}/smart_class_parameters/${encodeURIComponent(parameter)}/explain`
  const { body } = await askWell(targetOf(session), { method: 'GET', path })
  const isTree = session.option('output') === undefined && session.option('query') === undefined
  if (isTree) await session.write(`${treeOf(body).join('\n')}\n`)
  else await printAnswer(session, body)
  return EXIT.done
}

/** Prints a template as a host would get it. */
export async function renderTemplate(session: Session, rest: Rest): Promise<number> {
  const host = takeWord(rest, [...rest.words], ['host'], 'template render --host HOST [--kind KIND]')
  const kind = rest.values.get('kind')?.at(-1) ?? 'provision'
  const path = `/api/hosts/${encodeURIComponent(host)}/template/${encodeURIComponent(kind)}`
  const { body } = await askWell(targetOf(session), { method: 'GET', path })
  const { template } = membersOf(body)
  if (session.option('output') !== undefined) await printRecord(session.shape('name'), body, session.write)
  else if (typeof template === 'string') await session.write(template.replace(/\n?$/, '\n'))
  else throw new Failure(EXIT.refused, `${host} has no template of the kind ${kind}`)
  return EXIT.done
}
