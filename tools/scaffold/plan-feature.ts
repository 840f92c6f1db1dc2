import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EditProblem, addImport, addToList, addToObject, addToType } from './edit-source.ts'
import { type FeatureNames, NameProblem, fill } from './names.ts'
import { nextMigration } from './next-migration.ts'

export interface Plan {
  /** Path → content. Nothing is written before the whole plan is complete. */
  created: Map<string, string>
  edited: Map<string, string>
}

const TEMPLATES = join(import.meta.dirname, 'templates')

const FOLDERS = [
  ['contract', 'packages/contract/src/__features__'],
  ['server', 'apps/server/src/modules/__features__'],
  ['web', 'apps/web/src/features/__features__'],
] as const

export function planFeature(root: string, names: FeatureNames): Plan {
  const { features, words } = names
  const filled = (template: string) => fill(readFileSync(join(TEMPLATES, template), 'utf8'), words)
  const created = new Map<string, string>()
  for (const [kind, folder] of FOLDERS) {
    const target = fill(folder, words)
    if (existsSync(join(root, target))) throw new NameProblem(`${target} exists already.`)
    for (const template of readdirSync(join(TEMPLATES, kind))) {
      created.set(`${target}/${fill(template, words).replace(/\.tmpl$/, '')}`, filled(`${kind}/${template}`))
    }
  }
  created.set(nextMigration(root, features), filled('control-db/table.sql.tmpl'))
  created.set(`packages/control-db/src/tables/${features}.ts`, filled('control-db/tables.ts.tmpl'))
  return { created, edited: planEdits(root, names) }
}

function planEdits(root: string, { features, words }: FeatureNames): Map<string, string> {
  const edit = (path: string, ...steps: ((text: string) => string)[]): [string, string] => {
    try {
      return [path, steps.reduce((text, step) => step(text), readFileSync(join(root, path), 'utf8'))]
    } catch (error) {
      if (error instanceof EditProblem) throw new EditProblem(`${path} could not be extended: ${error.message}.`)
      throw error
    }
  }
  const say = (text: string) => fill(text, words)
  return new Map([
    edit(
      'packages/contract/src/all-endpoints.ts',
      (text) =>
        addImport(text, say("import { __featuresCamel__Endpoints } from './__features__/__features__.endpoints.ts'")),
      (text) => addToList(text, 'allEndpoints', say('...__featuresCamel__Endpoints')),
    ),
    edit('packages/contract/src/core/permissions.ts', (text) =>
      addToObject(
        text,
        'PERMISSIONS',
        [
          `  '${features}:read': { scope: 'workspace', roles: everyWorkspaceRole },`,
          `  '${features}:write': { scope: 'workspace', roles: ['workspace_admin', 'workspace_editor'] },`,
        ].join('\n'),
      ),
    ),
    edit(
      'packages/control-db/src/tables.ts',
      (text) => addImport(text, say("import type { __Feature__Tables } from './tables/__features__.ts'")),
      (text) => addToType(text, 'ScopedTables', say('__Feature__Tables')),
    ),
    edit(
      'apps/server/src/modules/all-routes.ts',
      (text) => addImport(text, say("import { __featuresCamel__Routes } from './__features__/__features__.routes.ts'")),
      (text) => addToList(text, 'allRoutes', say('...__featuresCamel__Routes')),
    ),
    edit('apps/web/src/app/router-accounts.ts', (text) =>
      addToList(text, 'workspaceRoutes', say(readFileSync(join(TEMPLATES, 'route.tmpl'), 'utf8').trim())),
    ),
  ])
}
