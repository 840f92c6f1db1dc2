import type { ActionChoice } from '@trellis/contract/actions/actions.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listAiProjectNames, listProjectTables } from '../ai-projects/projects.service.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { listTableNames } from '../explorer/table-names.service.ts'
import { listIntegrations } from '../integrations/integrations.service.ts'
import { listOutsideDatabases } from '../integrations/outside-databases.service.ts'
import { listWorksheets } from '../worksheets/worksheet-files.service.ts'
import { places } from './places.ts'

const MAX_PROJECTS = 500

export interface PlaceChoice extends ActionChoice {
  readonly path: string
}

export interface ResourceName {
  readonly integrationCode: string
  readonly schema: string
  readonly table: string
  readonly isView: boolean
}

export async function listResourceNames(ctx: WorkspaceCtx, projectCode?: string): Promise<ResourceName[]> {
  if (projectCode !== undefined) {
    const tables = await listProjectTables(ctx, projectCode)
    return tables.map(({ integration_code, schema_name, table_name }) => ({
      integrationCode: integration_code,
      schema: schema_name,
      table: table_name,
      isView: false,
    }))
  }
  const integrationCode = managedCode(ctx.workspace.code)
  const tables = await listTableNames(ctx, integrationCode)
  return tables.map(({ schema, name, kind }) => ({
    integrationCode,
    schema,
    table: name,
    isView: kind === 'view' || kind === 'materialized_view',
  }))
}

export async function listTableChoices(ctx: WorkspaceCtx, projectCode?: string): Promise<PlaceChoice[]> {
  return (await listResourceNames(ctx, projectCode)).map(({ integrationCode, schema, table, isView }) => {
    const path = places.table(integrationCode, schema, table)
    return { value: path, label: `${schema}.${table}`, description: isView ? 'View' : 'Table', path }
  })
}

async function listSchemas(ctx: WorkspaceCtx, projectCode?: string) {
  const names = await listResourceNames(ctx, projectCode)
  const own = managedCode(ctx.workspace.code)
  const all = projectCode === undefined ? [{ integrationCode: own, schema: 'data' }, ...names] : names
  return new Map(all.map((item) => [JSON.stringify([item.integrationCode, item.schema]), item])).values()
}

export async function listSchemaChoices(ctx: WorkspaceCtx, projectCode?: string): Promise<PlaceChoice[]> {
  return [...(await listSchemas(ctx, projectCode))].map(({ integrationCode, schema }) => {
    const path = places.schema(integrationCode, schema)
    return { value: path, label: schema, description: 'Schema', path }
  })
}

export async function listUploadChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  return [...(await listSchemas(ctx))].map(({ integrationCode, schema }) => {
    const path = places.newTable(integrationCode, schema)
    return { value: path, label: schema, description: 'Schema', path }
  })
}

export async function listDatabaseChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  const own = managedCode(ctx.workspace.code)
  const outside = await listOutsideDatabases(ctx)
  return [
    { value: own, label: 'Workspace database', description: 'Database of this workspace', path: places.database(own) },
    ...outside.map(({ trellis_code, name }) => ({
      value: trellis_code,
      label: name,
      description: 'Connected database',
      path: places.database(trellis_code),
    })),
  ]
}

export async function listWorksheetChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  return (await listWorksheets(ctx)).map((location) => ({
    value: location.file_id,
    label: location.path,
    description: location.project_name,
    path: places.worksheet(location),
  }))
}

export async function listProjectChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  return (await listAiProjectNames(ctx, MAX_PROJECTS)).map(({ code, name, description }) => ({
    value: code,
    label: name,
    description,
    path: places.project(code),
  }))
}

export async function listIntegrationChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  const integrations = await listIntegrations(ctx, {})
  return integrations
    .filter(({ is_managed }) => !is_managed)
    .map(({ integration_trellis_code, name, platform_name }) => ({
      value: integration_trellis_code,
      label: name,
      description: platform_name,
      path: places.integration(integration_trellis_code),
    }))
}

export async function listPlatformChoices(ctx: WorkspaceCtx): Promise<PlaceChoice[]> {
  return ctx.ports.platforms.connectors
    .filter(({ usesOwnDatabase }) => usesOwnDatabase !== true)
    .map(({ code, name, summary }) => ({
      value: code,
      label: name,
      description: summary,
      path: places.newIntegration(code),
    }))
}
