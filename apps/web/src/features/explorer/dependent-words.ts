import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'

const KINDS: Record<Dependent['kind'], string> = {
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_key: 'Foreign key',
  table: 'Table',
  function: 'Function',
  sequence: 'Sequence',
  object: '',
  dataflow: 'Dataflow block',
  worksheet: 'Worksheet',
  spark: 'Spark',
  ai_project: 'AI project',
  verified_question: 'Verified question',
  metric: 'Metric',
  role: 'Database role',
  login: 'External login',
  label: 'Label',
  export: 'Export',
}

export function formatDependent({ kind, schema_name, name }: Dependent): string {
  return `${KINDS[kind]} ${schema_name === null ? name : `${schema_name}.${name}`}`.trim()
}

export const dependentKey = ({ kind, schema_name, name, detail }: Dependent): string =>
  JSON.stringify([kind, schema_name, name, detail])
