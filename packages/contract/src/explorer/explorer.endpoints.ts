import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './explorer.schemas.ts'
import { ObjectName } from './names.ts'
import { Deleted } from './recycle-bin.schemas.ts'

const feature = 'explorer'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager'

export const getExplorerHome = defineEndpoint({
  id: 'getExplorerHome',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/home`,
  summary: 'Databases, recently opened tables and storage',
  params: WorkspaceParams,
  response: schemas.ExplorerHome,
})
export const listDatabases = defineEndpoint({
  id: 'listDatabases',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/databases`,
  summary: 'The databases this workspace can explore',
  params: WorkspaceParams,
  response: z.array(schemas.Database),
})
export const listSchemas = defineEndpoint({
  id: 'listSchemas',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/database-information/schemas/:integration_trellis_code`,
  summary: 'Names of the schemas of a database',
  params: schemas.DatabaseParams,
  response: z.array(z.string()),
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getDatabaseInformation = defineEndpoint({
  id: 'getDatabaseInformation',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/database-information/:integration_trellis_code`,
  summary: 'A database with its schemas',
  params: schemas.DatabaseParams,
  response: schemas.DatabaseInformation,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const listTables = defineEndpoint({
  id: 'listTables',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/database-information/:integration_trellis_code/:schema_name`,
  summary: 'Tables and views of a schema, by name, a page at a time',
  params: schemas.SchemaParams,
  query: schemas.TableListQuery,
  response: schemas.TableList,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const searchDatabase = defineEndpoint({
  id: 'searchDatabase',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/search/:integration_trellis_code`,
  summary: 'Tables, views and columns whose name has this text',
  params: schemas.DatabaseParams,
  query: schemas.SearchQuery,
  response: z.array(schemas.SearchHit),
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getTableDetails = defineEndpoint({
  id: 'getTableDetails',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/database-information/table-details/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'Columns, keys, indexes, sizes and what depends on a table',
  params: schemas.TableParams,
  response: schemas.TableDetails,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getTableUsage = defineEndpoint({
  id: 'getTableUsage',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/usage/:integration_trellis_code/:schema_name`,
  summary: 'What uses this schema, or a table of it, and what it uses',
  params: schemas.SchemaParams,
  query: z.object({ table_name: z.optional(ObjectName) }),
  response: schemas.Usage,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getSchemaSummary = defineEndpoint({
  id: 'getSchemaSummary',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/schema/summary/:integration_trellis_code/:schema_name`,
  summary: 'Sizes, largest tables and latest loads of a schema',
  params: schemas.SchemaParams,
  response: schemas.SchemaSummary,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getSchemaDiagram = defineEndpoint({
  id: 'getSchemaDiagram',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/schema/diagram/:integration_trellis_code/:schema_name`,
  summary: 'Tables of a schema with columns, keys and foreign keys, for a diagram',
  params: schemas.SchemaParams,
  response: schemas.SchemaDiagram,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const getTableDescription = defineEndpoint({
  id: 'getTableDescription',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/table-description/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'What people wrote about a table and its columns',
  params: schemas.TableParams,
  response: schemas.TableDescription,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const setTableDescription = defineEndpoint({
  id: 'setTableDescription',
  feature,
  permission: 'explorer:write',
  method: 'PUT',
  path: `${base}/table-description/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'Describe a table and its columns',
  params: schemas.TableParams,
  body: schemas.TableDescriptionPut,
  response: schemas.TableDescription,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const createSchema = defineEndpoint({
  id: 'createSchema',
  feature,
  permission: 'explorer:manage',
  method: 'POST',
  path: `${base}/database-information/create-schema`,
  summary: 'Create a schema',
  params: WorkspaceParams,
  body: schemas.NewSchema,
  response: Done,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const renameSchema = defineEndpoint({
  id: 'renameSchema',
  feature,
  permission: 'explorer:manage',
  method: 'POST',
  path: `${base}/database-information/rename-schema`,
  summary: 'Rename a schema',
  params: WorkspaceParams,
  body: schemas.RenameSchema,
  response: Done,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const deleteSchema = defineEndpoint({
  id: 'deleteSchema',
  feature,
  permission: 'explorer:manage',
  method: 'DELETE',
  path: `${base}/database-information/delete-schema`,
  summary: 'Move a schema with everything in it to the recycle bin',
  params: WorkspaceParams,
  query: schemas.SchemaDelete,
  response: Deleted,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const createTable = defineEndpoint({
  id: 'createTable',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/database-information/create-table`,
  summary: 'Create an empty table',
  params: WorkspaceParams,
  body: schemas.NewTable,
  response: Done,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const renameTable = defineEndpoint({
  id: 'renameTable',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/database-information/rename-table`,
  summary: 'Rename a table',
  params: WorkspaceParams,
  body: schemas.RenameTable,
  response: Done,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const deleteTable = defineEndpoint({
  id: 'deleteTable',
  feature,
  permission: 'explorer:write',
  method: 'DELETE',
  path: `${base}/database-information/delete-table`,
  summary: 'Move a table to the recycle bin',
  params: WorkspaceParams,
  query: schemas.TableDelete,
  response: Deleted,
  errors: ['not_found', 'conflict', 'unavailable'],
})

export const explorerEndpoints = [
  getExplorerHome,
  listDatabases,
  listSchemas,
  getDatabaseInformation,
  listTables,
  searchDatabase,
  getTableDetails,
  getTableUsage,
  getSchemaSummary,
  getSchemaDiagram,
  getTableDescription,
  setTableDescription,
  createSchema,
  renameSchema,
  deleteSchema,
  createTable,
  renameTable,
  deleteTable,
]
