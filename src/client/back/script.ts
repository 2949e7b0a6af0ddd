import type { Step } from './step.ts'

/** Prints steps as a script of sh. It runs all commands, also after one that fails, and ends with 1 if one has failed. */
export function printScript(
  since: string,
  steps: readonly Step[],
  { commands, by_hand }: { readonly commands: number; readonly by_hand: number },
): string {
  const counts = `${commands} commands, ${by_hand} changes by hand`
  return `${[
    '#!/bin/sh',
    `# Changes since ${since}, for the old server: ${counts}.`,
    'failed=0',
    'hammer() { command hammer "$@" || failed=1; }',
    'file=$(mktemp) || exit 1',
    `trap 'rm -f "$file"' EXIT`,
    ...steps.map(printStep),
    'exit $failed',
  ].join('\n')}\n`
}

function printStep(step: Step): string {
  if ('by_hand' in step) return `# ${`${step.record}: ${step.by_hand}`.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`
  const line = ['hammer', ...step.command.map(quoteWord)].join(' ')
  return step.file === undefined ? line : `printf %s ${quoteWord(step.file)} >"$file"\n${line} --file "$file"`
}

/** Quotes a word for sh: plain words stay, others stand in single quotes. */
function quoteWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
