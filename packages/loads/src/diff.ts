import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { ownTable } from './own-tables.ts'
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

const SAMPLES = 5
const SHOWN = 200

/** What the staged rows would change in a table, by its key. */
export async function diffByKey(
  session: Session,
  stage: string,
  { target, columns }: { target: Target; columns: readonly string[] },
): Promise<Diff | null> {
  const keys = target.primaryKey
  if (keys.length === 0 || !keys.every((key) => columns.includes(key))) return null
  const on = keys.map((key) => `s.${quoteName(key)} = t.${quoteName(key)}`).join(' and ')
  const rest = columns.filter((column) => !keys.includes(column))
  const differs =
    rest.length === 0
      ? 'false'
      : rest
          .map((column) => {
            const isComparable = target.columns.find(({ name }) => name === column)?.isComparable ?? false
            const cast = isComparable ? '' : '::text'
            return `s.${quoteName(column)}${cast} is distinct from t.${quoteName(column)}${cast}`
          })
          .join(' or ')
  const [first = ''] = keys
  const joined = `${ownTable(stage)} s full join ${target.quoted} t on ${on}`
  const isNew = `t.${quoteName(first)} is null`
  const isMissing = `s.${quoteName(first)} is null`
  const { rows } = await session.query({
    text: `select count(*) filter (where ${isNew}), count(*) filter (where ${isMissing}),
                  count(*) filter (where not (${isNew}) and not (${isMissing}) and (${differs})), count(*) from ${joined}`,
  })
  const [added = 0, missing = 0, changed = 0, all = 0] = (rows[0] ?? []).map(Number)
  const sample = async (kind: DiffSample['kind'], where: string): Promise<DiffSample[]> => {
    const side = kind === 'missing' ? 't' : 's'
    const shown = [
      ...keys.map((key) => `left(${side}.${quoteName(key)}::text, ${SHOWN})`),
      ...rest.flatMap((column) => ['t', 's'].map((from) => `left(${from}.${quoteName(column)}::text, ${SHOWN})`)),
    ]
    const found = await session.query({
      text: `select ${shown.join(', ')} from ${joined} where ${where} limit ${SAMPLES}`,
    })
    return found.rows.map((row) => ({
      kind,
      key: row.slice(0, keys.length),
      changes: rest.flatMap((column, at) => {
        const [before = null, after = null] = row.slice(keys.length + at * 2, keys.length + at * 2 + 2)
        return before === after ? [] : [{ column, before, after }]
      }),
    }))
  }
  return {
    keys,
    new_rows: added,
    changed_rows: changed,
    same_rows: all - added - missing - changed,
    missing_rows: missing,
    samples: [
      ...(added > 0 ? await sample('new', isNew) : []),
      ...(changed > 0 ? await sample('changed', `not (${isNew}) and not (${isMissing}) and (${differs})`) : []),
      ...(missing > 0 ? await sample('missing', isMissing) : []),
    ],
  }
}
