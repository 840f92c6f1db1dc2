import type { FileModel } from '@trellis/contract/uploads/uploads.schemas'

const SHOWN = 3
const MAX_LENGTH = 28

export function formatSamples(fileModel: Pick<FileModel, 'sample'>, source: number | null): string {
  if (source === null) return ''
  const values = new Set<string>()
  for (const row of fileModel.sample) {
    const value = row[source]
    if (value) values.add(value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value)
    if (values.size === SHOWN) break
  }
  return values.size === 0 ? 'no values' : [...values].join(' · ')
}
