import type { WorkspaceNames } from '../names.ts'
import { getSchemaRoles } from '../schemas/schema-roles.ts'

export const TEMPLATES = ['reader', 'writer', 'admin', 'analyst', 'loader', 'bi'] as const
export type Template = (typeof TEMPLATES)[number]

export interface TemplateGrant {
  readonly template: Template
  readonly tag: string | null
}

export const MAX_STATEMENT_MINUTES = 60

const TEMPLATE_LIMITS: Record<Template, { statementMinutes: number; connections: number }> = {
  reader: { statementMinutes: MAX_STATEMENT_MINUTES, connections: 5 },
  writer: { statementMinutes: MAX_STATEMENT_MINUTES, connections: 5 },
  admin: { statementMinutes: MAX_STATEMENT_MINUTES, connections: 5 },
  analyst: { statementMinutes: 5, connections: 5 },
  loader: { statementMinutes: MAX_STATEMENT_MINUTES, connections: 10 },
  bi: { statementMinutes: MAX_STATEMENT_MINUTES, connections: 20 },
}

export const isForAllSchemas = (template: Template): boolean => template === 'analyst' || template === 'bi'

/** The role to grant; undefined if the schema was dropped. */
export function findGrantedRole(names: WorkspaceNames, { template, tag }: TemplateGrant): string | undefined {
  if (isForAllSchemas(template)) return names.reader
  if (tag === null) return undefined
  const { owner, writer, reader } = getSchemaRoles(names, tag)
  return { reader, writer, loader: writer, admin: owner, analyst: reader, bi: reader }[template]
}

export const getStatementMinutes = (templates: readonly Template[]): number =>
  Math.min(MAX_STATEMENT_MINUTES, ...templates.map((template) => TEMPLATE_LIMITS[template].statementMinutes))

export const getDefaultConnections = (templates: readonly Template[]): number =>
  Math.max(TEMPLATE_LIMITS.reader.connections, ...templates.map((template) => TEMPLATE_LIMITS[template].connections))
