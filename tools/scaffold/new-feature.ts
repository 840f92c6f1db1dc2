import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EditProblem } from './edit-source.ts'
import { NameProblem, featureNames } from './names.ts'
import { type Plan, planFeature } from './plan-feature.ts'

const root = resolve(import.meta.dirname, '../..')

function write({ created, edited }: Plan): void {
  for (const [path, text] of [...created, ...edited]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sources = [...created.keys(), ...edited.keys()].filter((path) => !path.endsWith('.sql'))
  // The OpenAPI document exceeds the default maxBuffer.
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const node = (...args: string[]) => execFileSync(process.execPath, args, options)
  node(join(root, 'node_modules/oxfmt/bin/oxfmt'), ...sources)
  writeFileSync(join(root, 'docs/openapi.json'), node('apps/server/src/http/print-openapi.ts'))
}

function main(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { one: { type: 'string' } } })
  const [features] = positionals
  if (!features) throw new NameProblem('Say what the feature is called: npm run new:feature -- schedules')
  const names = featureNames(features, values.one)
  const plan = planFeature(root, names)
  write(plan)
  for (const path of plan.created.keys()) console.log(`new      ${path}`)
  for (const path of [...plan.edited.keys(), 'docs/openapi.json']) console.log(`changed  ${path}`)
  console.log(
    [
      '',
      'It runs as it stands: a table, three calls, a page, and tests for each. Next:',
      `  1. Shape it: the fields in packages/contract/src/${features}/${features}.schemas.ts and the new migration.`,
      `  2. Say in packages/contract/src/core/permissions.ts who may read and write ${features}.`,
      `  3. Put a link to it into the sidebar: apps/web/src/app/shell/areas.ts.`,
      '  4. Add its word to docs/glossary.md and a line to CHANGELOG.md.',
      '  5. npm run check && npm test',
    ].join('\n'),
  )
}

try {
  main()
} catch (error) {
  if (!(error instanceof NameProblem || error instanceof EditProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
