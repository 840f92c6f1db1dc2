import type { TableFile } from '@trellis/contract/uploads/uploads.schemas'
import type * as z from 'zod/mini'
import type { LoadMode } from '../wizard.ts'

export function formatSuccess(mode: LoadMode, table: string): string {
  if (mode === 'new') return `${table} is there`
  if (mode === 'upsert') return `The rows of the file are in ${table}`
  return mode === 'append' ? `The rows were added to ${table}` : `The rows of ${table} were replaced`
}

export function formatUndo(mode: z.infer<typeof TableFile>['mode'], table: string): string {
  return mode === 'new' ? `${table} was taken away again.` : `${table} is what it was before.`
}

export function formatUndone(mode: LoadMode, { table, fileName }: { table: string; fileName: string }): string {
  if (mode === 'new') return `The table ${table} and the rows of ${fileName} were removed.`
  return mode === 'append'
    ? `The rows of ${fileName} were removed from ${table}.`
    : `${table} has the rows back that it had before ${fileName}.`
}
