import type { Session } from '@trellis/workspace-db/session'
import { qualifyPlatformTable } from './own-tables.ts'
import { compareByKey } from './run/shadow/compare.ts'
import { getComparedColumns } from './run/shadow/compared-columns.ts'
import type { DifferentRow } from './run/shadow/comparison.ts'
import type { Target } from './target.ts'

interface DiffSample {
  readonly kind: 'new' | 'changed' | 'missing'
  readonly key: readonly (string | null)[]
  readonly changes: readonly {
    readonly column: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

export interface Diff {
  readonly keys: readonly string[]
  readonly new_rows: number
  readonly changed_rows: number
  readonly same_rows: number
  readonly missing_rows: number
  readonly samples: readonly DiffSample[]
}

const MAX_SAMPLES = 5
const KINDS = { added: 'new', changed: 'changed', gone: 'missing' } as const
const CHANGE_ORDER = Object.keys(KINDS)

export async function diffByKey(
  session: Session,
  stage: string,
  { target, columns: names }: { target: Target; columns: readonly string[] },
): Promise<Diff | null> {
  const keys = target.primaryKey
  if (keys.length === 0 || !keys.every((key) => names.includes(key))) return null
  const writtenColumns = target.columns
    .filter(({ name }) => names.includes(name))
    .map(({ name, type }) => ({ field: name, name, postgres: type }))
  const counts = await compareByKey(session, {
    staged: qualifyPlatformTable(stage),
    written: writtenColumns,
    target,
    columns: getComparedColumns(writtenColumns, target),
    key: keys,
    isWhole: true,
    shownRows: MAX_SAMPLES,
    countsColumns: false,
  })
  const toSample = ({ change, before, after }: DifferentRow): DiffSample => {
    const findColumnIndex = (name: string) => writtenColumns.findIndex((column) => column.name === name)
    const changes = writtenColumns.flatMap(({ name }, at) => {
      const values = { before: before?.[at] ?? null, after: after?.[at] ?? null }
      return keys.includes(name) || values.before === values.after ? [] : [{ column: name, ...values }]
    })
    return { kind: KINDS[change], key: keys.map((name) => (after ?? before)?.[findColumnIndex(name)] ?? null), changes }
  }
  return {
    keys,
    new_rows: counts.added,
    changed_rows: counts.changed,
    same_rows: counts.same,
    missing_rows: counts.gone,
    samples: counts.sample
      .toSorted((differentRow, other) => CHANGE_ORDER.indexOf(differentRow.change) - CHANGE_ORDER.indexOf(other.change))
      .map(toSample),
  }
}
