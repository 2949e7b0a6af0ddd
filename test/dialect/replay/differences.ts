import type { Verdict } from './score.ts'

/**
 * Formats the exchanges that do not match: each with its reasons, the request, and both answers, shortened. Explained ones
 * come last.
 */
export function differencesText(verdicts: readonly Verdict[]): string {
  return verdicts
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((one, other) => Number(one.explanation !== null) - Number(other.explanation !== null))
    .map(paragraph)
    .join('\n')
}

function paragraph({ outcome, route, reasons, explanation }: Verdict): string {
  const { exchange, sent, answer, failures } = outcome
  const lines = [
    `## ${exchange.group} | ${exchange.by} ${exchange.server} | ${route}`,
    ...reasons.slice(0, REASONS).map((reason) => `   ${reason}`),
    ...(reasons.length > REASONS ? [`   and ${reasons.length - REASONS} more`] : []),
    ...(explanation === null ? [] : [`   as it should be: ${explanation}`]),
    `   request:  ${exchange.method} ${exchange.url} ${cut(JSON.stringify(exchange.request))}`,
    `   sent:     ${sent}`,
    `   recorded: ${exchange.status} ${cut(JSON.stringify(exchange.response))}`,
    `   ours:     ${answer.status} ${cut(answer.text)}`,
    ...failures.map((failure) => `   cannot be made: ${failure}`),
  ]
  return `${lines.join('\n')}\n`
}

const REASONS = 8

function cut(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)} …` : text
}
