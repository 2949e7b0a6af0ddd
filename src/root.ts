/**
 * The root folder of the program, with package.json, migrations, documentation and console. The running files are in a
 * folder below it: `src`, or the one that scripts/bundle.ts writes.
 */
export const ROOT = new URL('../', import.meta.url)
