const part = encodeURIComponent

export interface SchemaAddress {
  database: string
  schema: string
}
export interface TableAddress extends SchemaAddress {
  table: string
}
export type TablePage = 'preview' | 'details' | 'description' | 'upload' | 'append' | 'replace'
export type DatabasePage = 'users' | 'groups' | 'roles' | 'external-profiles' | 'rights' | 'connection'

/** Addresses below one workspace. Names may hold anything, slashes and question marks too. */
export function explorerPaths(workspacePath: string) {
  const root = `${workspacePath}/explorer`
  const database = (code: string, page?: DatabasePage) => `${root}/${part(code)}${page ? `/${page}` : ''}`
  const schema = (at: SchemaAddress, page?: 'tables' | 'files' | 'files/new') =>
    `${database(at.database)}/schema/${part(at.schema)}${page ? `/${page}` : ''}`
  const table = (at: TableAddress, page: TablePage = 'preview') => `${schema(at)}/table/${part(at.table)}/${page}`
  const dataflow = (code: string) => `${workspacePath}/dataflow/${part(code)}/editor`
  const connection = (code: string) => `${workspacePath}/integrations/update/${part(code)}`
  return { home: `${root}/home`, deleted: `${root}/deleted`, database, schema, table, dataflow, connection }
}
