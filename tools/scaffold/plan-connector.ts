import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EditProblem, addImport, addToList } from './edit-source.ts'
import { NameProblem, type PlatformNames, fill } from './names.ts'
import type { Plan } from './plan-feature.ts'

const TEMPLATES = join(import.meta.dirname, 'templates/connector')
const REGISTRY = 'packages/connectors/src/registry.ts'

/** A folder and one line in the registry must be enough. */
export function planConnector(root: string, { platform, words }: PlatformNames): Plan {
  const folder = `packages/connectors/src/${platform}`
  if (existsSync(join(root, folder))) throw new NameProblem(`${folder} exists already.`)
  const created = new Map(
    readdirSync(TEMPLATES).map((template) => {
      const text = fill(readFileSync(join(TEMPLATES, template), 'utf8'), words)
      return [`${folder}/${template.replace(/\.tmpl$/, '')}`, text] as const
    }),
  )
  return { created, edited: new Map([[REGISTRY, addToRegistry(readFileSync(join(root, REGISTRY), 'utf8'), words)]]) }
}

function addToRegistry(text: string, words: Record<string, string>): string {
  try {
    const imported = addImport(text, fill("import { __platformCamel__ } from './__platform__/connector.ts'", words))
    return addToList(imported, 'CONNECTORS', fill('__platformCamel__', words))
  } catch (error) {
    if (error instanceof EditProblem) throw new EditProblem(`${REGISTRY} could not be extended: ${error.message}.`)
    throw error
  }
}
