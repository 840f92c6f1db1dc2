import type { WorksheetLocation } from '../worksheets/worksheet-files.service.ts'

const part = encodeURIComponent

/** Must match the web's router. */
export const places = {
  database: (code: string) => `explorer/${part(code)}`,
  schema: (code: string, schema: string) => `explorer/${part(code)}/schema/${part(schema)}/tables`,
  newTable: (code: string, schema: string) => `explorer/${part(code)}/schema/${part(schema)}/files/new`,
  table: (code: string, schema: string, table: string) =>
    `explorer/${part(code)}/schema/${part(schema)}/table/${part(table)}/preview`,
  worksheet: ({ project_id, folder_id, file_id, name }: Omit<WorksheetLocation, 'path' | 'project_name'>) =>
    `explorer/project/${part(project_id)}/folder/${part(folder_id)}/worksheet/${part(file_id)}/${part(name)}/code-editor`,
  project: (code: string) => `ai/projects/${part(code)}`,
  newIntegration: (platform?: string) => (platform ? `integrations/setup/${part(platform)}` : 'integrations/create'),
  integration: (code: string) => `integrations/update/${part(code)}`,
}
