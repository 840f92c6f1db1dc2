import type { AnyDb } from '@trellis/control-db/database'
import { findNames } from './names.repository.ts'

export async function readProfileNames(
  ctx: { readonly db: AnyDb },
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const rows = await findNames(ctx, [...new Set(ids.filter((id) => id !== null))])
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.surname}`.trim()]))
}
