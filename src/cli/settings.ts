import { describeConfig, type SettingDescription, type Settings } from '../config.ts'
import { wrapped } from './wrapped.ts'

/** Formats the configuration as `millwright config` prints it for people. */
export function settingsText(settings: Settings): string {
  return `${describeConfig(settings).map(paragraph).join('\n\n')}\n`
}

/** Formats the configuration as `millwright config --json` prints it for programs. */
export function settingsJson(settings: Settings): string {
  return `${JSON.stringify(describeConfig(settings), null, 2)}\n`
}

function paragraph({ key, value, from, flag, variable, allowed, doc }: SettingDescription): string {
  const names = [flag, variable].filter((name) => name !== null).join(' or ')
  return [
    `${key}: ${value || 'not set'} (${from})`,
    wrapped(doc, '    '),
    wrapped(`${names}: ${allowed}.`, '    '),
  ].join('\n')
}
