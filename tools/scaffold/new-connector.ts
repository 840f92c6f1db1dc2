import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EditProblem } from './edit-source.ts'
import { NameProblem, platformNames } from './names.ts'
import { planConnector } from './plan-connector.ts'

const root = resolve(import.meta.dirname, '../..')

function main(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } })
  const [platform] = positionals
  if (!platform)
    throw new NameProblem('Say which platform it connects: npm run new:connector -- open_shop --name "Open Shop"')
  const { created, edited } = planConnector(root, platformNames(platform, values.name))
  for (const [path, text] of [...created, ...edited]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sources = [...created.keys(), ...edited.keys()].filter((path) => !path.endsWith('.svg'))
  execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...sources], { cwd: root })
  for (const path of created.keys()) console.log(`new      ${path}`)
  for (const path of edited.keys()) console.log(`changed  ${path}`)
  console.log(
    [
      '',
      'It runs as it stands, against its own simulator. Next:',
      '  1. Describe the real API in manifest.ts; plain code instead where a manifest does not fit.',
      '  2. Teach simulator.ts to answer as the platform does: paging, refusals, numbers that are restated.',
      '  3. Say in README.md how to connect, and draw icon.svg.',
      `  4. npx vitest run packages/connectors/src/${platform}`,
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
