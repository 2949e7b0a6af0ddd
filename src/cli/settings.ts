import { describeConfig, type SettingDescription, type Settings } from '../config.ts'
import { wrapText } from './wrapped.ts'

/** Formats the configuration as `millwright config` prints it for people. */
export function formatSettings(settings: Settings): string {
  return `${describeConfig(settings).map(formatParagraph).join('\n\n')}\n`
}

/** Formats the configuration as `millwright config --json` prints it for programs. */
export function formatSettingsJson(settings: Settings): string {
  return `${JSON.stringify(describeConfig(settings), null, 2)}\n`
}

function formatParagraph({ key, value, from, flag, variable, allowed, doc }: SettingDescription): string {
  const names = [flag, variable].filter((name) => name !== null).join(' or ')
  return [
    `${key}: ${value || 'not set'} (${from})`,
    wrapText(doc, '    '),
    wrapText(`${names}: ${allowed}.`, '    '),
  ].join('\n')
}
