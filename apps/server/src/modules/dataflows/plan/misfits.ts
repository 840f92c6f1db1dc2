import { type SchemaChange } from '@trellis/loads/plan/schema-change'
import { toPostgresType } from '@trellis/loads/plan/tables'
import { quoteName, quoteText } from '@trellis/workspace-db/identifiers'
import type { Target } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'

export interface TypeMismatch {
  readonly column: string
  readonly rows: number
  readonly example: string | null
}

/** Larger tables are not counted, since someone waits for the plan. */
const MAX_EXAMINED_ROWS = 1_000_000

/** Existing rows that would not fit; empty if counting takes too long. */
export async function findMisfits(
  session: Session,
  target: Target,
  changes: readonly SchemaChange[],
): Promise<TypeMismatch[]> {
  const misfits: TypeMismatch[] = []
  for (const change of changes) {
    const text = buildMisfitQuery(change, target)
    const result = text && (await session.query({ text }).catch(() => undefined))
    const [count, example] = (result && result.rows[0]) || []
    if (count && count !== '0')
      misfits.push({ column: getChangedColumn(change), rows: Number(count), example: example ?? null })
  }
  return misfits
}

const getChangedColumn = (change: SchemaChange): string =>
  change.kind === 'change_key' ? change.to.join(', ') : change.column

function buildMisfitQuery(change: SchemaChange, { quoted }: Target): string | undefined {
  if (change.kind === 'narrow' || change.kind === 'convert') {
    const column = quoteName(change.column)
    const misfitCondition = `${column} is not null and not pg_input_is_valid(${column}::text, ${quoteText(toPostgresType(change.type))})`
    return `select count(*) filter (where ${misfitCondition}), left(min(${column}::text) filter (where ${misfitCondition}), 200)
              from (select ${column} from ${quoted} limit ${MAX_EXAMINED_ROWS}) looked_at`
  }
  if (change.kind !== 'change_key') return undefined
  const columns = change.to.map(quoteName)
  const emptyCondition = columns.map((column) => `${column} is null`).join(' or ')
  return `select sum(case when ${emptyCondition} then twins else twins - 1 end), left(min(shown) filter (where twins > 1 or ${emptyCondition}), 200)
            from (select ${columns.join(', ')}, count(*) as twins, concat_ws(', ', ${columns.map((column) => `${column}::text`).join(', ')}) as shown
                    from (select ${columns.join(', ')} from ${quoted} limit ${MAX_EXAMINED_ROWS}) looked_at
                   group by ${columns.join(', ')}) grouped`
}
