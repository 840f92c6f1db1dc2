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
  const schema = (address: SchemaAddress, page?: 'tables' | 'diagram' | 'files' | 'files/new') =>
    `${database(address.database)}/schema/${part(address.schema)}${page ? `/${page}` : ''}`
  const table = (address: TableAddress, page: TablePage = 'preview') =>
    `${schema(address)}/table/${part(address.table)}/${page}`
  const dataflow = (code: string) => `${workspacePath}/dataflow/${part(code)}/editor`
  const spark = (code: string) => `${workspacePath}/sparks/${part(code)}`
  const connection = (code: string) => `${workspacePath}/integrations/update/${part(code)}`
  const worksheet = (address: WorksheetAddress) =>
    `${root}/project/${part(address.projectId)}/folder/${part(address.folderId)}/worksheet/${part(address.fileId)}/${part(address.name)}/code-editor`
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
