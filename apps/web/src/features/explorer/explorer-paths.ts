const part = encodeURIComponent

export interface SchemaAddress {
  database: string
  schema: string
}
export interface TableAddress extends SchemaAddress {
  table: string
}
interface WorksheetAddress {
  projectId: string
  folderId: string
  fileId: string
  name: string
}
export type TablePage = 'preview' | 'details' | 'description' | 'query' | 'upload' | 'append' | 'replace' | 'upsert'
export type DatabasePage = 'users' | 'groups' | 'roles' | 'external-profiles' | 'rights' | 'connection'

/** Names may contain slashes and question marks. */
export function explorerPaths(workspacePath: string) {
  const root = `${workspacePath}/explorer`
  const database = (code: string, page?: DatabasePage) => `${root}/${part(code)}${page ? `/${page}` : ''}`
  const schema = (at: SchemaAddress, page?: 'tables' | 'diagram' | 'files' | 'files/new') =>
    `${database(at.database)}/schema/${part(at.schema)}${page ? `/${page}` : ''}`
  const table = (at: TableAddress, page: TablePage = 'preview') => `${schema(at)}/table/${part(at.table)}/${page}`
  const dataflow = (code: string) => `${workspacePath}/dataflow/${part(code)}/editor`
  const spark = (code: string) => `${workspacePath}/sparks/${part(code)}`
  const connection = (code: string) => `${workspacePath}/integrations/update/${part(code)}`
  const worksheet = (at: WorksheetAddress) =>
    `${root}/project/${part(at.projectId)}/folder/${part(at.folderId)}/worksheet/${part(at.fileId)}/${part(at.name)}/code-editor`
  return {
    home: `${root}/home`,
    worksheets: `${root}/worksheets`,
    worksheet,
    deleted: `${root}/deleted`,
    database,
    schema,
    table,
    dataflow,
    spark,
    connection,
  }
}
