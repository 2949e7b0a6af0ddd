import { EXIT } from '../failure.ts'
import { helpText } from './help.ts'
import type { Jobs, Session } from './session.ts'

/** Prints the help as a manual page: `millwright man host list | man -l -`. */
export async function printManual(session: Session, argv: readonly string[], jobs: Jobs): Promise<number> {
  session.use(new Map())
  const title = ['millwright', ...argv].join('-').toUpperCase()
  const lines = helpText(argv, jobs).map(escapeLine)
  const page = [
    `.TH ${title} 1`,
    '.SH NAME',
    `${['millwright', ...argv].join('-')} \\- the command line of Millwright`,
    '.SH DESCRIPTION',
    '.nf',
    ...lines,
    '.fi',
  ]
  await session.write(`${page.join('\n')}\n`)
  return EXIT.done
}

/** Escapes backslashes and leading dots, which the formatter would interpret. */
function escapeLine(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')
}
