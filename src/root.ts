/**
 * The folder of the program, with its package.json, migrations, documentation and console. What runs is in a folder of its
 * own there, as sources or as the files made of them (scripts/bundle.ts).
 */
export const ROOT = new URL('../', import.meta.url)
