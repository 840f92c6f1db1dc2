import type { AnyDb } from '@trellis/control-db/database'
import { findNames } from './names.repository.ts'

/** What people are called, by the number of their profile. Who is gone has no name here. */
export async function readProfileNames(
  ctx: { readonly db: AnyDb },
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const rows = await findNames(ctx, [...new Set(ids.filter((id) => id !== null))])
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.surname}`.trim()]))
}
