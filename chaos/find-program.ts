import { delimiter, join } from 'node:path'
import { canRun } from '../tools/test/apt.ts'

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'].filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(canRun)
}
