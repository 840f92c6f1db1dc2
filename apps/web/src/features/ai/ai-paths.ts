const part = encodeURIComponent

interface TableLocation {
  database: string
  schema: string
  table: string
}
interface WorksheetLocation {
  projectId: string
  folderId: string
  fileId: string
  name: string
}

export function aiPaths(workspacePath: string) {
  const root = `${workspacePath}/ai`
  const explorer = `${workspacePath}/explorer`
  return {
    home: root,
    page: (path: string) => `${workspacePath}/${path}`,
    projects: `${root}/projects`,
    project: (code: string) => `${root}/projects/${part(code)}`,
    jobs: `${root}/jobs`,
    chats: `${root}/chats`,
    chat: (code: string) => `${root}/chats/${part(code)}`,
    table: ({ database, schema, table }: TableLocation) =>
      `${explorer}/${part(database)}/schema/${part(schema)}/table/${part(table)}/preview`,
    worksheet: ({ projectId, folderId, fileId, name }: WorksheetLocation) =>
      `${explorer}/project/${part(projectId)}/folder/${part(folderId)}/worksheet/${part(fileId)}/${part(name)}/code-editor`,
  }
}
