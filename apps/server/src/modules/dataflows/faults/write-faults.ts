import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import type { WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NewColumnName } from '@trellis/contract/explorer/names'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import * as z from 'zod/mini'
import { type Fault, invalidFault, missingFault } from './fault.ts'

export function findWriteFaults(write: WriteStep | null, path: string): Fault[] {
  if (!write) return [missingFault(path, 'Say which table the rows go to.')]
  return findModelFaults(write.dataModel, { path: `${path}.dataModel`, needsKey: write.strategy === 'Upsert' })
}

/** The default is the source's model, whose key nobody has confirmed. */
export function findModelFaults(
  model: SourceDataModel | null,
  { path, needsKey }: { path: string; needsKey: boolean },
): Fault[] {
  if (!model) return needsKey ? [missingFault(`${path}.primary_keys`, PRIMARY_KEY_MESSAGE)] : []
  const faults: Fault[] = []
  const fields = Object.keys(model.fields)
  if (fields.length === 0) faults.push(missingFault(`${path}.fields`, 'Choose at least one field.'))
  if (needsKey && model.primary_keys.length === 0)
    faults.push(missingFault(`${path}.primary_keys`, PRIMARY_KEY_MESSAGE))
  for (const key of model.primary_keys) {
    if (!fields.includes(key))
      faults.push(invalidFault(`${path}.primary_keys`, `The key "${key}" is not among the fields.`))
  }
  for (const field of Object.keys(model.indexes)) {
    if (!fields.includes(field)) {
      faults.push(invalidFault(`${path}.indexes`, `The field "${field}" has an index but is not among the fields.`))
    }
  }
  return [...faults, ...findNameFaults(model, fields, path)]
}

function findNameFaults(model: SourceDataModel, fields: readonly string[], path: string): Fault[] {
  const toColumnName = (field: string) => model.column_mapping[field] ?? field
  const fieldByColumn = new Map<string, string>()
  return fields.flatMap((field) => {
    const name = toColumnName(field)
    const mappingPath = `${path}.column_mapping.${field}`
    const parsed = z.safeParse(NewColumnName, name)
    if (!parsed.success) {
      return [
        invalidFault(
          mappingPath,
          `The column of "${field}": ${parsed.error.issues[0]?.message ?? 'the name is not usable'}`,
        ),
      ]
    }
    const otherField = fieldByColumn.get(name)
    fieldByColumn.set(name, field)
    if (otherField === undefined) return []
    return [
      invalidFault(mappingPath, `"${otherField}" and "${field}" would both be called "${name}". Rename one of them.`),
    ]
  })
}
