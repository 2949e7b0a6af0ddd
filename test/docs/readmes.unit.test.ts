import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { execFile } from '../support/processes.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folders that import nothing of the program; their READMEs have an example like those of packages. */
const PACKAGES = ['templates', 'classification', 'search', 'directory']

// UPDATE_TRANSCRIPT=1 writes down what the examples print now.
test.each(PACKAGES)(
  'the example in the README of src/%s prints what stands below it',
  { timeout: 60_000 },
  async (name) => {
    const file = join(ROOT, 'src', name, 'README.md')
    const page = readFileSync(file, 'utf8')
    const [, code = '', output = ''] = /^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/ms.exec(page) ?? []
    expect(code).toContain("from './")
    const folder = mkdtempSync(join(tmpdir(), 'millwright-example-'))
    try {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
      writeFileSync(join(folder, 'example.ts'), code.replaceAll("from './", `from '${join(ROOT, 'src', name)}/`))
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'example.ts')])
      if (process.env.UPDATE_TRANSCRIPT)
        writeFileSync(
          file,
          page.replace(`\`\`\`text\n${output}`, () => `\`\`\`text\n${stdout}`),
        )
      else expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
