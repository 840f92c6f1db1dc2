import { type AnyDb, platformTables } from '@trellis/control-db/database'

export async function namesOfPeople(
  ctx: { readonly db: AnyDb },
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await platformTables(ctx)
    .selectFrom('profiles')
    .select(['id', 'first_name', 'surname'])
    .where('id', 'in', wanted)
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.surname}`.trim()]))
}
