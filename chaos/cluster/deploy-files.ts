import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, '../../deploy/cluster')

export function fillIn(name: string, values: Readonly<Record<string, string | number>>): string {
  return readFileSync(join(FOLDER, name), 'utf8').replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`deploy/cluster/${name} has \${${key}}, which is not filled in.`)
    return String(value)
  })
}

export function readLogins(env: Readonly<Record<string, string>>): string[] {
  const text = readFileSync(join(FOLDER, 'logins.sql'), 'utf8')
  const variables = new Map(
    [...text.matchAll(/^\\getenv (\w+) (\w+)$/gm)].map(([, name = '', key = '']) => [name, key]),
  )
  return text
    .replaceAll(/^(?:--|\\).*$/gm, '')
    .replaceAll(/:'(\w+)'/g, (_, name: string) => pg.escapeLiteral(env[variables.get(name) ?? ''] ?? ''))
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
}
