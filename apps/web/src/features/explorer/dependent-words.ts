import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'

const KINDS: Record<Dependent['kind'], string> = {
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_key: 'Foreign key',
  table: 'Table',
  function: 'Function',
  dataflow: 'Dataflow',
  worksheet: 'Worksheet',
  spark: 'Spark',
}

/** `View shop.daily_revenue`. */
export function dependentText({ kind, schema_name, name }: Dependent): string {
  return `${KINDS[kind]} ${schema_name === null ? name : `${schema_name}.${name}`}`
}
